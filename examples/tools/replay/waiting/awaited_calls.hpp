// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/run/replayed_calls.hpp"
#include "tools/replay/waiting/timed_calls.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tools::replay {

/// Finds the calls that calls of a block await: the partners of messages, in the order in which both sides start them,
/// and the other ranks of collectives.
class awaited_calls {
public:
    explicit awaited_calls(std::size_t ranks) : ranks_(ranks) {}

    /// The next call of a rank: its number in the block, and how many requests passes that are not kept started since
    /// the call before it.
    void add(thread_trace const& of, persistent_requests const& persistent, step const& s, std::size_t call);
    void skip_requests(std::size_t rank, std::size_t n);
    /// Add what calls await.
    void resolve(timed_block& block) const;
    /// Messages that may have come from several ranks, and requests of which it is not known which call completed them.
    double left_out() const;

private:
    static constexpr std::size_t unknown = static_cast<std::size_t>(-1); // of a call

    struct operation {
        std::size_t started = unknown, completed = unknown; // calls
        bool is_buffered = false;
    };
    using message_key = std::tuple<std::string, int, int, std::int32_t>; // communicator, from, to, tag
    struct messages {
        std::vector<operation> sent{}, received{};
        std::vector<std::pair<std::size_t, std::size_t>> probed{}; // number of the message, call
    };
    struct participant {
        int rank = 0; // in the communicator
        int world = 0;
        operation what{};
    };
    struct collective {
        std::string name{};
        int root = 0;
        std::vector<participant> ranks{};
    };
    /// Where an operation is, whose vector may grow.
    struct place {
        messages* of = nullptr;
        bool is_sent = false;
        collective* in = nullptr;
        std::size_t at = 0;
    };
    struct rank_state {
        std::map<std::size_t, std::vector<place>> requests{}; // by the number of the request
        std::size_t next_request = 0;
        std::map<std::int64_t, std::vector<place>> persistent{};
        std::map<std::string, std::size_t> collectives{}; // that the rank began, by the communicator
    };

    static operation& operation_at(place const& p);
    std::vector<place> start(thread_trace const& of, step const& s, std::size_t call, bool is_blocking);
    std::optional<place> send(thread_trace const& of, step const& s, operation made);
    std::optional<place> receive(thread_trace const& of, step const& s, operation made);
    place collect(thread_trace const& of, step const& s, operation made);
    void complete(rank_state& own, step const& s, std::size_t call);
    void resolve(message_key const& key, messages const& of, timed_block& block) const;
    static void resolve(collective const& of, timed_block& block);
    bool takes_any(std::string const& text, int rank) const { return takes_any_.count({text, rank}) != 0; }

    std::vector<rank_state> ranks_;
    std::map<message_key, messages> messages_;
    std::map<std::pair<std::string, std::size_t>, collective> collectives_; // communicator, number
    std::set<std::pair<std::string, int>> takes_any_; // communicator, rank with receives from any source or of any tag
    double unknown_completions_ = 0;
};

} // namespace tools::replay
