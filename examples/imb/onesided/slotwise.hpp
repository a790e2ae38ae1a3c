// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/pattern.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace imb {

/// From slot to slot, in bytes: within the memory that is sent, within other memory of the origin, and in windows.
struct strides {
    sonde::region sent;
    std::size_t out;
    std::size_t in;
    std::size_t there;
    std::size_t slots;
};

/// One-sided operations slot by slot, then from the first on: what an operation of Sonde's is given for its first
/// block, moved on.
template <class O>
class slotwise {
public:
    slotwise(O operation, strides const& by) : operation_{std::move(operation)}, by_{by} {}

    void operator()() {
        operation_.issue(0, [this](auto... arguments) { O::call(this->moved(arguments)...); });
        slot_ = slot_ + 1 == by_.slots ? 0 : slot_ + 1;
    }
    sonde::traffic moves() const { return operation_.moves(); }

private:
    std::byte* moved(std::byte* p) const {
        auto const from = reinterpret_cast<std::uintptr_t>(p) - reinterpret_cast<std::uintptr_t>(by_.sent.data());
        auto const is_sent = from < by_.sent.size();
        return p + slot_ * (is_sent ? by_.out : by_.in);
    }
    MPI_Aint moved(MPI_Aint place) const { return place + static_cast<MPI_Aint>(slot_ * by_.there); }
    template <class X>
    X moved(X x) const {
        return x;
    }

    O operation_;
    strides by_;
    std::size_t slot_ = 0;
};

/// Several such operations in a repetition, one after the other.
template <class O>
class slotwise_each {
public:
    slotwise_each(std::vector<O> operations, strides const& by) {
        for (auto& o : operations) all_.emplace_back(std::move(o), by);
    }

    void operator()() {
        for (auto& one : all_) one();
    }
    sonde::traffic moves() const {
        sonde::traffic sum;
        for (auto const& one : all_) {
            sum.bytes += one.moves().bytes;
            sum.messages += one.moves().messages;
        }
        return sum;
    }

private:
    std::vector<slotwise<O>> all_;
};

} // namespace imb
