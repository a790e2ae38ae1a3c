// SPDX-License-Identifier: BSL-1.0
// What wrong messages have in common: a link, a rank or a host. Of wrong blocks of collectives only their ranks.
// Without MPI.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace suite {

/// Messages of one rank to another whose bits were compared, and the number of them with a wrong bit.
struct message_tally {
    int sender;
    int receiver;
    std::size_t checked;
    std::size_t wrong;
};

/// Part of a machine that messages pass: the link of two ranks, a rank, the link of two hosts, or a host.
enum class part_kind : unsigned char { link, rank, host_link, host };
/// Messages of a part: all, those from `first`, or those to it.
enum class part_direction : unsigned char { both, from, to };

/// A part of a machine. `second`: the other rank or host of a link, otherwise -1.
struct machine_part {
    part_kind kind;
    part_direction direction;
    int first;
    int second = -1;
    bool operator==(machine_part const&) const = default;
};

/// Wrong messages, and what they have in common. `suspects`: the parts that all wrong messages passed and that the
/// counts do not exclude, the likeliest first. A single suspect is named, unless `may_be_anywhere`: the counts do not
/// exclude that all messages are at risk.
struct corruption {
    std::size_t checked = 0, wrong = 0;     // messages
    std::size_t pairs = 0, wrong_pairs = 0; // of a sender and a receiver
    std::vector<machine_part> suspects{};
    bool may_be_anywhere = true;

    bool names_part() const { return !may_be_anywhere && suspects.size() == 1; }
};

/// The usual rate of false names: at most 1 of 1000 runs with wrong messages.
inline constexpr double usual_false_names = 0.001;

/// Finds what wrong messages have in common. `host_of_rank` has the host of each rank, counted from 0.
///
/// Null hypotheses: wrong messages come from one part of the machine, or from all of it, and each message that passes
/// it is wrong with the same probability, independently. Each part has a prior weight: equal for the kinds of parts,
/// and within a kind for its parts. A part is named if its likelihood times its weight exceeds the likelihood of every
/// other part, and that of the whole machine, by the factor 1 / false_names. If one of these is true, then by Markov's
/// inequality another part is named with a probability of at most `false_names`, no matter how often the rule is
/// applied while messages are counted (Ville). A part is not named, either, if its wrong messages are of so few of its
/// pairs that these pairs themselves are likelier by that factor: of several causes none is named.
///
/// Throws std::invalid_argument unless ranks have a host, at most `checked` messages are wrong, and the rate is above 0
/// and below 1.
[[nodiscard]] corruption find_corruption(std::span<message_tally const> counted, std::vector<int> const& host_of_rank,
                                         double false_names = usual_false_names);

/// Names of ranks, "rank 3 (c1)", and of hosts, "c1".
struct part_names {
    std::vector<std::string> ranks;
    std::vector<std::string> hosts;
};

part_names names_of(std::vector<int> const& host_of_rank, std::vector<std::string> const& hosts);

/// "Wrong bits in 7 of 24000 messages, on 5 of 240 pairs of sender and receiver: messages from rank 3 (c1)".
std::string sentence(corruption const& found, part_names const& names);

/// Blocks of collectives, and the ranks from which and to which wrong ones went. No part is named: the library may pass
/// a block through other ranks, so that wrong blocks have other ends than the link that damages them.
struct collective_blocks {
    std::size_t checked = 0, wrong = 0;
    std::set<int> senders{}, receivers{};
};

/// "Wrong bits in 12 of 1600 blocks, from ranks 3, 5 to rank 1; the library may have passed them through other ranks".
std::string sentence(collective_blocks const& found);

} // namespace suite
