// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/assess/exchange_alternatives.hpp"

#include <sonde/mpi/error.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <stdexcept>

namespace tools::replay {

namespace {

using sonde::mpi::check;

constexpr int exchange_tag = 0;

/// Content of a byte of a message, by its place in what a rank sends to another one.
std::byte content(int from, int to, std::size_t i) {
    return static_cast<std::byte>(1 + (static_cast<std::size_t>(31 * from + 17 * to) + i * 7 + (i >> 8)) % 251);
}

class requests_alternative : public exchange_alternative {
public:
    ~requests_alternative() override {
        for (auto& r : requests_)
            if (r != MPI_REQUEST_NULL) MPI_Request_free(&r);
    }

protected:
    MPI_Request* next() { return &requests_.emplace_back(MPI_REQUEST_NULL); }
    void complete() {
        check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    }
    std::vector<MPI_Request> requests_;
};

class at_once final : public requests_alternative {
public:
    explicit at_once(exchange_messages& m) : m_{m} {}
    void operator()() override {
        requests_.clear();
        for (auto const& one : m_.received())
            check(MPI_Irecv(m_.in() + one.place, one.bytes, MPI_BYTE, one.partner, exchange_tag, m_.comm(), next()),
                  "MPI_Irecv");
        for (auto const& one : m_.sent())
            check(MPI_Isend(m_.out() + one.place, one.bytes, MPI_BYTE, one.partner, exchange_tag, m_.comm(), next()),
                  "MPI_Isend");
        complete();
    }

private:
    exchange_messages& m_;
};

class persistent final : public requests_alternative {
public:
    explicit persistent(exchange_messages& m) {
        for (auto const& one : m.received())
            check(MPI_Recv_init(m.in() + one.place, one.bytes, MPI_BYTE, one.partner, exchange_tag, m.comm(), next()),
                  "MPI_Recv_init");
        for (auto const& one : m.sent())
            check(MPI_Send_init(m.out() + one.place, one.bytes, MPI_BYTE, one.partner, exchange_tag, m.comm(), next()),
                  "MPI_Send_init");
    }
    void operator()() override {
        check(MPI_Startall(static_cast<int>(requests_.size()), requests_.data()), "MPI_Startall");
        complete();
    }
};

/// One block for all messages of a partner.
struct partner_blocks {
    std::vector<int> partners, bytes, places;

    explicit partner_blocks(std::vector<exchange_messages::message> const& all) {
        for (auto const& m : all) {
            if (partners.empty() || partners.back() != m.partner) {
                partners.push_back(m.partner);
                bytes.push_back(0);
                places.push_back(static_cast<int>(m.place));
            }
            bytes.back() += m.bytes;
        }
    }
    int count() const { return static_cast<int>(partners.size()); }
};

class neighborhood final : public exchange_alternative {
public:
    explicit neighborhood(exchange_messages& m) : m_{m}, to_{m.sent()}, from_{m.received()} {
        check(MPI_Dist_graph_create_adjacent(m.comm(), from_.count(), from_.partners.data(), MPI_UNWEIGHTED,
                                             to_.count(), to_.partners.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                             &graph_),
              "MPI_Dist_graph_create_adjacent");
    }
    ~neighborhood() override { MPI_Comm_free(&graph_); }
    void operator()() override {
        check(MPI_Neighbor_alltoallv(m_.out(), to_.bytes.data(), to_.places.data(), MPI_BYTE, m_.in(),
                                     from_.bytes.data(), from_.places.data(), MPI_BYTE, graph_),
              "MPI_Neighbor_alltoallv");
    }

private:
    exchange_messages& m_;
    partner_blocks to_, from_;
    MPI_Comm graph_ = MPI_COMM_NULL;
};

class formed final : public exchange_alternative {
public:
    formed(collective_form const& form, MPI_Comm comm) : comm_{comm}, form_{form} {
        if (comm_ == MPI_COMM_NULL) return;
        int ranks = 0;
        check(MPI_Comm_size(comm_, &ranks), "MPI_Comm_size");
        auto const longest = static_cast<std::size_t>(std::max(form.gathered, form.scattered));
        out_.resize(longest * static_cast<std::size_t>(ranks) + sizeof(double));
        in_.resize(out_.size());
        auto const is_double = longest % sizeof(double) == 0 && longest != 0; // what is reduced most often
        reduced_ = is_double ? MPI_DOUBLE : MPI_BYTE;
        op_ = is_double ? MPI_SUM : MPI_BOR;
        elements_ = static_cast<int>(is_double ? longest / sizeof(double) : longest);
    }
    void operator()() override {
        if (comm_ == MPI_COMM_NULL) return;
        auto const up = static_cast<int>(form_.gathered), down = static_cast<int>(form_.scattered);
        auto const& name = form_.name;
        auto* const out = out_.data();
        auto* const in = in_.data();
        if (name.starts_with("MPI_Gather"))
            check(MPI_Gather(out, up, MPI_BYTE, in, up, MPI_BYTE, form_.root, comm_), "MPI_Gather");
        if (name.ends_with("MPI_Scatter"))
            check(MPI_Scatter(out, down, MPI_BYTE, in, down, MPI_BYTE, form_.root, comm_), "MPI_Scatter");
        if (name == "MPI_Bcast") check(MPI_Bcast(in, down, MPI_BYTE, form_.root, comm_), "MPI_Bcast");
        if (name == "MPI_Reduce") check(MPI_Reduce(out, in, elements_, reduced_, op_, form_.root, comm_), "MPI_Reduce");
        if (name == "MPI_Allreduce") check(MPI_Allreduce(out, in, elements_, reduced_, op_, comm_), "MPI_Allreduce");
        if (name == "MPI_Alltoall") check(MPI_Alltoall(out, up, MPI_BYTE, in, up, MPI_BYTE, comm_), "MPI_Alltoall");
    }

private:
    MPI_Comm comm_;
    collective_form form_;
    std::vector<std::byte> out_{}, in_{};
    MPI_Datatype reduced_ = MPI_BYTE;
    MPI_Op op_ = MPI_BOR;
    int elements_ = 0;
};

} // namespace

exchange_messages::exchange_messages(MPI_Comm comm, int rank, std::vector<exchanged_message> all) : comm_{comm} {
    std::size_t out = 0, in = 0;
    auto const add = [](std::vector<message>& to, int partner, double bytes, std::size_t& place) {
        to.push_back({partner, place, static_cast<int>(bytes)});
        place += static_cast<std::size_t>(bytes);
        if (place > static_cast<std::size_t>(std::numeric_limits<int>::max()))
            throw std::runtime_error{"an exchange of 2 GiB and more of a rank has no alternatives"};
    };
    std::stable_sort(all.begin(), all.end(), [](auto const& a, auto const& b) { return a.to < b.to; });
    for (auto const& m : all)
        if (m.from == rank) add(sent_, m.to, m.bytes, out);
    std::stable_sort(all.begin(), all.end(), [](auto const& a, auto const& b) { return a.from < b.from; });
    for (auto const& m : all)
        if (m.to == rank) add(received_, m.from, m.bytes, in);
    out_.resize(out + 1);
    in_.resize(in + 1);
    expected_.resize(in + 1);
    auto const fill = [](std::vector<message> const& list, auto byte) {
        std::size_t in_block = 0;
        for (std::size_t i = 0; i != list.size(); ++i) {
            if (i != 0 && list[i - 1].partner != list[i].partner) in_block = 0;
            for (int k = 0; k != list[i].bytes; ++k)
                byte(list[i].partner, list[i].place + static_cast<std::size_t>(k), in_block++);
        }
    };
    fill(sent_, [&](int to, std::size_t place, std::size_t i) { out_[place] = content(rank, to, i); });
    fill(received_, [&](int from, std::size_t place, std::size_t i) { expected_[place] = content(from, rank, i); });
}

bool exchange_messages::has_received_all() {
    auto const has = std::equal(in_.begin(), in_.end(), expected_.begin());
    std::fill(in_.begin(), in_.end(), std::byte{0});
    return has;
}

std::unique_ptr<exchange_alternative> messages_at_once(exchange_messages& m) { return std::make_unique<at_once>(m); }
std::unique_ptr<exchange_alternative> persistent_messages(exchange_messages& m) {
    return std::make_unique<persistent>(m);
}
std::unique_ptr<exchange_alternative> neighborhood_collective(exchange_messages& m) {
    return std::make_unique<neighborhood>(m);
}
std::unique_ptr<exchange_alternative> collective_of_form(collective_form const& form, MPI_Comm participants) {
    return std::make_unique<formed>(form, participants);
}

} // namespace tools::replay
