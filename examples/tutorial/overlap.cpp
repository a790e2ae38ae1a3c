// SPDX-License-Identifier: BSL-1.0

// Overlap of a nonblocking allreduce with the work of an application.

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <cstdio>
#include <span>
#include <vector>

// [field]
/// The work of the application: smooths an array, one eighth of it in each call.
class field {
public:
    static constexpr std::size_t parts = 8;

    explicit field(std::size_t n) : now_(n, 1.0), next_(n, 1.0) {}
    void smooth(std::size_t part) {
        auto const n = now_.size() - 2;
        for (auto i = 1 + n * part / parts; i != 1 + n * (part + 1) / parts; ++i)
            next_[i] = 0.25 * now_[i - 1] + 0.5 * now_[i] + 0.25 * now_[i + 1];
        if (part + 1 == parts) now_.swap(next_);
    }
    double middle() const { return now_[now_.size() / 2]; }

private:
    std::vector<double> now_, next_;
};
// [/field]

struct results {
    sonde::overlap_records own;
    double calibrated;
};

results measure(sonde::mpi::group& ranks, std::span<double> mine, std::span<double> sums, field& u) {
    // [measure]
    sonde::mpi::nonblocking sum{sonde::mpi::allreduce{ranks, {MPI_DOUBLE, mine.size()}, MPI_SUM},
                                sonde::slice{std::as_writable_bytes(mine)}, sonde::slice{std::as_writable_bytes(sums)}};
    auto work = [&u](auto& test) {
        for (std::size_t part = 0; part != field::parts; ++part) {
            u.smooth(part);
            test(); // MPI_Test, in which the MPI library makes progress
        }
    };
    auto const rule = sonde::samples{200} || sonde::time_budget{sonde::seconds{0.2}};
    auto const plan = sonde::plan<>{}.synchronized(sonde::dissemination_barrier{}).until(rule);
    auto const own = sonde::measure_overlap(ranks, plan, sum, work, "sum", sonde::overlap_timing::phases);
    // [/measure]
    // [calibrated]
    sonde::calibrated_work same_time{8}; // with 8 tests
    auto const calibrated = sonde::overlap(sonde::measure_overlap(ranks, plan, sum, same_time));
    // [/calibrated]
    return {own, calibrated};
}

void print(sonde::overlap_records const& own, double calibrated) {
    auto const us = [](sonde::seconds t) { return 1e6 * t.count(); };
    std::printf("medians: communication %.2f us, work %.2f us, both %.2f us\n", us(sonde::median(own.communication)),
                us(sonde::median(own.work)), us(sonde::median(own.both)));
    std::printf("overlap: %.0f %%; with calibrated work: %.0f %%\n", 100 * sonde::overlap(own), 100 * calibrated);
    std::printf("means of the phases: post %.2f us, work %.2f us, test %.2f us, wait %.2f us\n", us(own.phases->post),
                us(own.phases->work), us(own.phases->test), us(own.phases->wait));
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    bool correct = false;
    {
        sonde::mpi::group ranks{MPI_COMM_WORLD};
        std::vector<double> mine(8192, 1.0), sums(mine.size());
        field u{100'000};
        auto const found = measure(ranks, mine, sums, u);
        if (ranks.rank() == 0) print(found.own, found.calibrated);
        correct = sums.back() == ranks.size() && u.middle() == 1 && found.own.phases.has_value();
    }
    MPI_Finalize();
    return correct ? 0 : 1;
}
