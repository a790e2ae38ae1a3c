// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/assess/exchange_form.hpp"

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace tools::replay {

/// The messages of an exchange as this rank sends and receives them, in the order of partners, in memory without gaps.
class exchange_messages {
public:
    /// `all` refers to ranks of the communicator.
    exchange_messages(MPI_Comm comm, int rank, std::vector<exchanged_message> all);

    struct message {
        int partner;
        std::size_t place; // in the memory
        int bytes;
    };
    MPI_Comm comm() const { return comm_; }
    std::vector<message> const& sent() const { return sent_; }
    std::vector<message> const& received() const { return received_; }
    std::byte* out() { return out_.data(); }
    std::byte* in() { return in_.data(); }
    std::size_t bytes_sent() const { return out_.size() - 1; }
    /// True if the memory holds what the partners sent, which it is cleared of.
    bool has_received_all();

private:
    MPI_Comm comm_;
    std::vector<message> sent_{}, received_{};
    std::vector<std::byte> out_{}, in_{}, expected_{};
};

/// Another way to send the messages of an exchange. Construction and destruction are collective over the world.
class exchange_alternative {
public:
    virtual ~exchange_alternative() = default;
    exchange_alternative() = default;
    exchange_alternative(exchange_alternative const&) = delete;
    exchange_alternative& operator=(exchange_alternative const&) = delete;
    virtual void operator()() = 0;
};

/// Nonblocking messages, all started before they are completed.
std::unique_ptr<exchange_alternative> messages_at_once(exchange_messages& m);
/// Persistent requests.
std::unique_ptr<exchange_alternative> persistent_messages(exchange_messages& m);
/// MPI_Neighbor_alltoallv, with one block for all messages to a partner.
std::unique_ptr<exchange_alternative> neighborhood_collective(exchange_messages& m);
/// The collective of a form. `participants`: MPI_COMM_NULL on ranks that take no part. Zeros are sent.
std::unique_ptr<exchange_alternative> collective_of_form(collective_form const& form, MPI_Comm participants);

} // namespace tools::replay
