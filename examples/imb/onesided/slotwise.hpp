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
        if (++slot_ == by_.slots) {
            slot_ = out_ = in_ = 0;
            there_ = 0;
            return;
        }
        out_ += by_.out;
        in_ += by_.in;
        there_ += static_cast<MPI_Aint>(by_.there);
    }
    sonde::traffic moves() const { return operation_.moves(); }

private:
    std::byte* moved(std::byte* p) const {
        auto const from = reinterpret_cast<std::uintptr_t>(p) - reinterpret_cast<std::uintptr_t>(by_.sent.data());
        return p + (from < by_.sent.size() ? out_ : in_);
    }
    MPI_Aint moved(MPI_Aint place) const { return place + there_; }
    template <class X>
    X moved(X x) const {
        return x;
    }

    O operation_;
    strides by_;
    std::size_t slot_ = 0;
    std::size_t out_ = 0; // of this slot, in bytes: added up, because a multiplication would be in the timed code
    std::size_t in_ = 0;
    MPI_Aint there_ = 0;
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
