// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/mpi/collectives/kind.hpp>
#include <sonde/mpi/device_support.hpp>
#include <sonde/mpi/requests.hpp>

#include <mpi.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sonde::mpi {

namespace detail {

/// The least one. (<numeric> has it, at a hundredth of what all of Sonde costs a file that includes it.)
constexpr std::size_t common_multiple(std::size_t a, std::size_t b) {
    auto multiple = a;
    while (multiple % b != 0) multiple += a;
    return multiple;
}

/// A collective on buffers: what the three forms have in common. Throws std::length_error for a region that is smaller
/// than what the operation sends or receives on this rank, device_refused for one that the MPI library does not take.
template <Collective K, Buffer Out, Buffer In>
class on_buffers {
public:
    K const& kind() const { return kind_; }
    traffic moves() const { return kind_.moves(); }

protected:
    on_buffers(K kind, Out out, In in)
        : kind_{std::move(kind)}, out_{mpi::detail::passable(std::move(out))},
          in_{mpi::detail::passable(std::move(in))} {
        require(kind_.sends(), out_.size(), "sends from");
        require(kind_.receives(), in_.size(), "receives into");
        if constexpr (Rooted<K>) root_ = kind_.at();
    }

    turn next() {
        if constexpr (Rooted<K>) {
            auto const now = root_.rank;
            if (root_.rotates) root_.rank = now + 1 == kind_.ranks() ? 0 : now + 1;
            return {out_.next().data(), in_.next().data(), now};
        } else {
            return {out_.next().data(), in_.next().data(), 0};
        }
    }
    /// After how many iterations everything repeats.
    std::size_t period() const {
        auto turns = common_multiple(sonde::regions(out_), sonde::regions(in_));
        if constexpr (Rooted<K>)
            if (root_.rotates) turns = common_multiple(turns, static_cast<std::size_t>(kind_.ranks()));
        return turns;
    }

    K kind_;

private:
    static void require(std::size_t needed, std::size_t there, char const* what) {
        if (there < needed)
            throw std::length_error{std::string{"sonde::mpi: "} + K::called.blocking_name + " " + what + " " +
                                    std::to_string(needed) + " bytes, the region has " + std::to_string(there)};
    }

    Out out_;
    In in_;
    root root_{};
};

} // namespace detail

/// One call of a collective an iteration: `blocking{allreduce{world, {MPI_DOUBLE, n}, MPI_SUM}, out, in}`.
///
/// `out` is sent from, `in` received into. Broadcasts, and operations in place that have no root, have one buffer; a
/// barrier has none.
template <Collective K, Buffer Out = slice, Buffer In = slice>
class blocking : public detail::on_buffers<K, Out, In> {
public:
    blocking(K kind, Out out, In in) : detail::on_buffers<K, Out, In>{std::move(kind), std::move(out), std::move(in)} {}
    blocking(K kind, In both) : blocking{std::move(kind), Out{}, std::move(both)} {}
    explicit blocking(K kind) : blocking{std::move(kind), Out{}, In{}} {}

    void operator()() { check(this->kind_.launch(K::called.blocking, this->next()), K::called.blocking_name); }
};
template <class K, class B>
blocking(K, B) -> blocking<K, slice, B>;

/// The same by the non-blocking call, and a wait for it.
///
/// `start` begins the operation, `test` lets the library make progress and says whether it is over, `finish` waits; an
/// iteration is `start` and `finish`. One operation is under way at a time.
template <Collective K, Buffer Out = slice, Buffer In = slice>
class nonblocking : public detail::on_buffers<K, Out, In> {
public:
    nonblocking(K kind, Out out, In in)
        : detail::on_buffers<K, Out, In>{std::move(kind), std::move(out), std::move(in)} {}
    nonblocking(K kind, In both) : nonblocking{std::move(kind), Out{}, std::move(both)} {}
    explicit nonblocking(K kind) : nonblocking{std::move(kind), Out{}, In{}} {}
    nonblocking(nonblocking&& other) noexcept
        : detail::on_buffers<K, Out, In>{std::move(other)}, request_{std::exchange(other.request_, MPI_REQUEST_NULL)} {}
    nonblocking& operator=(nonblocking&&) = delete;
    /// A collective under way can be neither cancelled nor freed.
    ~nonblocking() {
        if (request_ != MPI_REQUEST_NULL) detail::ends(request_);
    }

    void start() {
        check(this->kind_.launch(K::called.nonblocking, this->next(), &request_), K::called.nonblocking_name);
    }
    bool test() {
        int over = 0;
        check(MPI_Test(&request_, &over, MPI_STATUS_IGNORE), "MPI_Test");
        return over != 0;
    }
    void finish() { check(MPI_Wait(&request_, MPI_STATUS_IGNORE), "MPI_Wait"); }
    void operator()() {
        start();
        finish();
    }

private:
    MPI_Request request_ = MPI_REQUEST_NULL;
};
template <class K, class B>
nonblocking(K, B) -> nonblocking<K, slice, B>;

#if SONDE_MPI_PERSISTENT_COLLECTIVES

/// The same by persistent requests, made once for all regions and roots that iterations go through, and freed at the
/// end: `start` is MPI_Start. Making and freeing them is collective over the group.
template <Collective K, Buffer Out = slice, Buffer In = slice>
class persistent : public detail::on_buffers<K, Out, In> {
public:
    persistent(K kind, Out out, In in)
        : detail::on_buffers<K, Out, In>{std::move(kind), std::move(out), std::move(in)} {
        requests_.resize(this->period(), MPI_REQUEST_NULL);
        now_ = requests_.size() - 1;
        for (auto& r : requests_)
            check(this->kind_.launch(K::called.init, this->next(), MPI_INFO_NULL, &r), K::called.init_name);
    }
    persistent(K kind, In both) : persistent{std::move(kind), Out{}, std::move(both)} {}
    explicit persistent(K kind) : persistent{std::move(kind), Out{}, In{}} {}
    persistent(persistent&& other) noexcept
        : detail::on_buffers<K, Out, In>{std::move(other)}, requests_{std::exchange(other.requests_, {})},
          now_{other.now_}, under_way_{other.under_way_} {}
    persistent& operator=(persistent&&) = delete;
    ~persistent() {
        for (std::size_t i = 0; i != requests_.size(); ++i)
            if (requests_[i] != MPI_REQUEST_NULL && (i != now_ || !under_way_ || detail::ends(requests_[i])))
                MPI_Request_free(&requests_[i]);
    }

    void start() {
        now_ = now_ + 1 == requests_.size() ? 0 : now_ + 1;
        check(MPI_Start(&requests_[now_]), "MPI_Start");
        under_way_ = true;
    }
    bool test() {
        int over = 0;
        check(MPI_Test(&requests_[now_], &over, MPI_STATUS_IGNORE), "MPI_Test");
        under_way_ = over == 0;
        return over != 0;
    }
    void finish() {
        check(MPI_Wait(&requests_[now_], MPI_STATUS_IGNORE), "MPI_Wait");
        under_way_ = false;
    }
    void operator()() {
        start();
        finish();
    }

private:
    std::vector<MPI_Request> requests_;
    std::size_t now_ = 0;
    bool under_way_ = false; // as far as is known: the library would not say it of a request never started
};
template <class K, class B>
persistent(K, B) -> persistent<K, slice, B>;

#endif

} // namespace sonde::mpi
