// SPDX-License-Identifier: BSL-1.0
// `--check-bits`: messages whose bits differ by round, sender, receiver and place, compared bit by bit. Wrong words are
// located.
#pragma once

#include "suite/corruption.hpp"

#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/group.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace suite {

/// Rounds of `--check-bits` without a number.
inline constexpr std::size_t usual_bit_rounds = 100;

/// A message of a round. `receiver`: `sonde::all_ranks` of a message that all ranks get. `number`: its number among the
/// messages of the round between the same ranks.
struct message_id {
    std::size_t round;
    int sender;
    int receiver;
    std::size_t number = 0;
};

/// Write the bits of a message, from its byte `first` on, into a region: to each byte, whatever the datatype.
void write_bits(sonde::region bytes, message_id const& of, std::size_t first = 0);

/// Word i of a message, of eight bytes.
std::uint64_t word_of(message_id const& of, std::size_t i);

/// Eight bytes, or fewer at the end, of which a bit is wrong. `offset`: of the first byte, within the message. `bits`:
/// the wrong ones, of which the lowest is the lowest of the first byte. `sender`: -1 of a sum of several ranks.
struct wrong_word {
    std::uint64_t round;
    std::int64_t sender;
    std::int64_t receiver;
    std::uint64_t number;
    std::uint64_t offset;
    std::uint64_t bits;
};

/// How a message gets to its receiver: `direct`, or as the block of a `collective`, possibly through other ranks.
enum class message_path : unsigned char { direct, collective };

/// The messages that a rank compared, by their senders.
class bit_check {
public:
    explicit bit_check(int rank) : rank_{rank} {}

    /// Compare a message, or a part of it from its byte `first` on, with what `write_bits` writes. Returns the number
    /// of wrong words.
    std::size_t compare(sonde::region received, message_id const& of, std::size_t first = 0,
                        message_path path = message_path::direct);
    /// Count a result of a reduction, whose wrong words are these.
    void add_sum(std::vector<wrong_word> const& wrong);
    /// Count a reduction that was repeated, with what `compare_runs` says of it. On all ranks.
    void add_repeated(std::vector<std::string> const& differences);

    /// True if a message or a sum of this rank was wrong.
    bool is_wrong() const;
    /// Texts of the wrong words since the last call, the first ones of each rank, on rank 0. Collective over the group.
    std::vector<std::string> texts(sonde::mpi::group const& world, std::vector<std::string> const& names = {});
    /// Direct messages, and what the wrong ones have in common, on rank 0, which alone needs the hosts. Only if there
    /// are wrong ones, rank 0 has the counts of all pairs in memory. Collective over the group.
    corruption messages(sonde::mpi::group const& world, std::vector<int> const& host_of_rank) const;
    /// Blocks of collectives, on rank 0. Collective over the group.
    collective_blocks blocks(sonde::mpi::group const& world) const;
    /// The line at the end, on rank 0, which alone needs the hosts: how many messages, and what the wrong ones have in
    /// common. Collective over the group.
    std::string summary(sonde::mpi::group const& world, std::vector<int> const& host_of_rank,
                        std::vector<std::string> const& hosts) const;

private:
    struct counts {
        std::size_t checked = 0;
        std::size_t wrong = 0;

        void add(bool is_wrong) {
            ++checked;
            wrong += is_wrong;
        }
    };
    using counts_by_sender = std::map<int, counts>;
    static counts sum(counts_by_sender const& of_sender);
    static counts sum_of_ranks(sonde::mpi::group const& world, counts const& mine);
    void keep(wrong_word const& w);

    int rank_;
    counts_by_sender messages_, blocks_;
    counts sums_;
    counts repeated_;                // reductions, and those whose bits differed
    std::vector<std::string> notes_; // on the repeated reductions of the row
    std::vector<wrong_word> words_;  // the first ones of the row
    std::size_t wrong_words_ = 0;    // of the row
};

/// "rank 3 to rank 0, round 17, byte 4096: wrong bits 0x0000000000000400". `names`: of the ranks, if they have others.
std::string text_of(wrong_word const& w, std::vector<std::string> const& names = {});

} // namespace suite
