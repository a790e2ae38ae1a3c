// SPDX-License-Identifier: BSL-1.0

// How much of an exchange hides behind the application's own work.

#include <sonde/mpi/mpi.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <cstdio>
#include <span>
#include <vector>

/// A field that is smoothed piece by piece; knows nothing of Sonde.
class field {
public:
    static constexpr std::size_t pieces = 8;

    explicit field(std::size_t n) : now_(n, 1.0), next_(n, 1.0) {}
    void smooth(std::size_t piece) {
        auto const n = now_.size() - 2;
        for (auto i = 1 + n * piece / pieces; i != 1 + n * (piece + 1) / pieces; ++i)
            next_[i] = 0.25 * now_[i - 1] + 0.5 * now_[i] + 0.25 * now_[i + 1];
        if (piece + 1 == pieces) now_.swap(next_);
    }
    double middle() const { return now_[now_.size() / 2]; }

private:
    std::vector<double> now_, next_;
};

struct answers {
    sonde::overlap own;
    double at_best;
};

answers measure(sonde::mpi::group& ranks, std::span<double> mine, std::span<double> sums, field& u) {
    // [measure]
    sonde::mpi::nonblocking sum{sonde::mpi::allreduce{ranks, {MPI_DOUBLE, mine.size()}, MPI_SUM},
                                sonde::slice{std::as_writable_bytes(mine)}, sonde::slice{std::as_writable_bytes(sums)}};
    auto work = [&u](auto& test) {
        for (std::size_t piece = 0; piece != field::pieces; ++piece) {
            u.smooth(piece);
            test(); // lets the library go on with the sum
        }
    };
    auto const enough = sonde::samples{200} || sonde::time_budget{sonde::seconds{0.2}};
    auto const plan = sonde::plan<>{}.synchronized(sonde::mpi::disseminated(ranks)).until(enough);
    auto const own = sonde::measure_overlap(ranks, plan, sum, work, {"sum", {}}, sonde::timed::phases);
    // [/measure]
    // [best]
    sonde::spin as_long{8}; // told to last as long as the sum; with 8 tests
    auto const at_best = sonde::hidden(sonde::measure_overlap(ranks, plan, sum, as_long));
    // [/best]
    return {own, at_best};
}

void tell(sonde::overlap const& own, double at_best) {
    // [tell]
    auto const us = [](sonde::seconds t) { return 1e6 * t.count(); };
    std::printf("sum alone %.2f us, work alone %.2f us, both %.2f us\n", us(sonde::typical(own.communication)),
                us(sonde::typical(own.work)), us(sonde::typical(own.both)));
    std::printf("hidden: %.0f %%; behind work as long as the sum: %.0f %%\n", 100 * sonde::hidden(own), 100 * at_best);
    std::printf("of both: start %.2f us, work %.2f us, tests %.2f us, wait %.2f us\n", us(own.phases->post),
                us(own.phases->work), us(own.phases->test), us(own.phases->wait));
    // [/tell]
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    bool right = false;
    {
        sonde::mpi::group ranks{MPI_COMM_WORLD};
        std::vector<double> mine(8192, 1.0), sums(mine.size());
        field u{100'000};
        auto const found = measure(ranks, mine, sums, u);
        if (ranks.rank() == 0) tell(found.own, found.at_best);
        right = sums.back() == ranks.size() && u.middle() == 1 && found.own.phases.has_value();
    }
    MPI_Finalize();
    return right ? 0 : 1;
}
