// SPDX-License-Identifier: BSL-1.0
#include "suite/bit_check.hpp"

#include <sonde/collective.hpp>
#include <sonde/group/agreement.hpp>

#include <algorithm>
#include <array>
#include <cstdio>

namespace suite {

namespace {

constexpr std::size_t word_bytes = 8;
constexpr std::size_t kept_words = 4; // of a rank and a row
constexpr std::size_t shown_words = 10;

/// The finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014), a bijection.
constexpr std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

/// The words of a message.
class message_words {
public:
    explicit message_words(message_id const& of) {
        for (auto const part : {static_cast<std::uint64_t>(of.round), static_cast<std::uint64_t>(of.sender + 1),
                                static_cast<std::uint64_t>(of.receiver + 1), static_cast<std::uint64_t>(of.number)})
            key_ = mixed(key_ + step * (part + 1));
    }
    /// Eight bytes from the byte `at` on, the first one in the low bits.
    std::uint64_t from(std::size_t at) const {
        auto const shift = 8 * (at % word_bytes);
        auto const low = word(at / word_bytes);
        return shift == 0 ? low : low >> shift | word(at / word_bytes + 1) << (64 - shift);
    }

private:
    static constexpr std::uint64_t step = 0x9e3779b97f4a7c15;
    std::uint64_t word(std::size_t i) const { return mixed(key_ + step * (static_cast<std::uint64_t>(i) + 1)); }

    std::uint64_t key_ = 0;
};

void store(std::byte* at, std::size_t n, std::uint64_t word) {
    for (std::size_t i = 0; i != n; ++i) at[i] = static_cast<std::byte>(word >> (8 * i));
}

std::uint64_t load(std::byte const* at, std::size_t n) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i != n; ++i) word |= std::to_integer<std::uint64_t>(at[i]) << (8 * i);
    return word;
}

std::uint64_t low_bytes(std::uint64_t word, std::size_t n) {
    return n == word_bytes ? word : word & ((std::uint64_t{1} << (8 * n)) - 1);
}

/// Call `f(offset, bytes)` for each word of a region, the last of which may be shorter.
template <class F>
void each_word(std::size_t bytes, F f) {
    for (std::size_t at = 0; at < bytes; at += word_bytes) f(at, std::min(word_bytes, bytes - at));
}

/// The values of every rank, on rank 0. Collective over the group.
template <class T>
std::vector<T> gathered(sonde::mpi::group const& world, std::vector<T> mine) {
    auto const sizes = sonde::gather(world, mine.size());
    std::array<double, 1> longest{static_cast<double>(mine.size())};
    world.all_reduce(longest, sonde::reduction::max);
    mine.resize(static_cast<std::size_t>(longest[0]));
    if (mine.empty()) return {};
    auto all = sonde::gather(world, mine);
    if (!all) return {};
    auto from = all->begin(), to = from;
    for (auto const size : *sizes) {
        to = std::copy_n(from, size, to);
        from += static_cast<std::ptrdiff_t>(mine.size());
    }
    all->erase(to, all->end());
    return *std::move(all);
}

} // namespace

std::uint64_t word_of(message_id const& of, std::size_t i) { return message_words{of}.from(word_bytes * i); }

void write_bits(sonde::region bytes, message_id const& of, std::size_t first) {
    message_words const words{of};
    each_word(bytes.size(),
              [&](std::size_t at, std::size_t n) { store(bytes.data() + at, n, words.from(first + at)); });
}

void bit_check::keep(wrong_word const& w) {
    if (wrong_words_++ < kept_words) words_.push_back(w);
}

std::size_t bit_check::compare(sonde::region received, message_id const& of, std::size_t first, message_path path) {
    if (received.empty()) return 0;
    message_words const words{of};
    std::size_t wrong = 0;
    each_word(received.size(), [&](std::size_t at, std::size_t n) {
        auto const bits = low_bytes(words.from(first + at), n) ^ load(received.data() + at, n);
        if (bits == 0) return;
        ++wrong;
        keep({of.round, of.sender, rank_, of.number, first + at, bits});
    });
    (path == message_path::direct ? messages_ : blocks_)[of.sender].add(wrong != 0);
    return wrong;
}

void bit_check::add_sum(std::vector<wrong_word> const& wrong) {
    for (auto const& w : wrong) keep(w);
    sums_.add(!wrong.empty());
}

bool bit_check::is_wrong() const { return sums_.wrong != 0 || sum(messages_).wrong != 0 || sum(blocks_).wrong != 0; }

bit_check::counts bit_check::sum(counts_by_sender const& of_sender) {
    counts all;
    for (auto const& [sender, n] : of_sender) all = {all.checked + n.checked, all.wrong + n.wrong};
    return all;
}

bit_check::counts bit_check::sum_of_ranks(sonde::mpi::group const& world, counts const& mine) {
    std::array<double, 2> all{static_cast<double>(mine.checked), static_cast<double>(mine.wrong)};
    world.all_reduce(all, sonde::reduction::sum);
    return {static_cast<std::size_t>(all[0]), static_cast<std::size_t>(all[1])};
}

void bit_check::add_repeated(std::vector<std::string> const& differences) {
    notes_.insert(notes_.end(), differences.begin(), differences.end());
    repeated_.add(!differences.empty());
}

std::string text_of(wrong_word const& w, std::vector<std::string> const& names) {
    auto const name = [&](std::int64_t rank) {
        return names.empty() ? "rank " + std::to_string(rank) : names.at(static_cast<std::size_t>(rank));
    };
    auto const message = w.number == 0 ? "" : ", message " + std::to_string(w.number);
    auto const from = w.sender < 0 ? "the sum at " : name(w.sender) + " to ";
    char bits[32];
    std::snprintf(bits, sizeof bits, "0x%016llx", static_cast<unsigned long long>(w.bits));
    return from + name(w.receiver) + ", round " + std::to_string(w.round) + message + ", byte " +
           std::to_string(w.offset) + ": wrong bits " + bits;
}

std::vector<std::string> bit_check::texts(sonde::mpi::group const& world, std::vector<std::string> const& names) {
    auto const words = gathered(world, words_);
    auto const all = sum_of_ranks(world, {0, wrong_words_}).wrong;
    std::vector<std::string> found;
    for (std::size_t i = 0; i != std::min(words.size(), shown_words); ++i) found.push_back(text_of(words[i], names));
    if (world.rank() == 0 && all > found.size())
        found.push_back("and " + std::to_string(all - found.size()) + " more wrong words");
    if (world.rank() == 0) found.insert(found.end(), notes_.begin(), notes_.end());
    notes_.clear();
    words_.clear();
    wrong_words_ = 0;
    return found;
}

corruption bit_check::messages(sonde::mpi::group const& world, std::vector<int> const& host_of_rank) const {
    auto const all = sum_of_ranks(world, sum(messages_));
    if (all.wrong == 0) return {.checked = all.checked};
    std::vector<message_tally> mine;
    for (auto const& [sender, n] : messages_) mine.push_back({sender, rank_, n.checked, n.wrong});
    auto const pairs = gathered(world, std::move(mine));
    return world.rank() == 0 ? find_corruption(pairs, host_of_rank) : corruption{};
}

collective_blocks bit_check::blocks(sonde::mpi::group const& world) const {
    auto const all = sum_of_ranks(world, sum(blocks_));
    collective_blocks found{all.checked, all.wrong};
    if (all.wrong == 0) return found;
    std::vector<message_tally> mine;
    for (auto const& [sender, n] : blocks_)
        if (n.wrong != 0) mine.push_back({sender, rank_, n.checked, n.wrong});
    for (auto const& pair : gathered(world, std::move(mine))) {
        found.senders.insert(pair.sender);
        found.receivers.insert(pair.receiver);
    }
    return found;
}

std::string bit_check::summary(sonde::mpi::group const& world, std::vector<int> const& host_of_rank,
                               std::vector<std::string> const& hosts) const {
    auto const of_messages = messages(world, host_of_rank);
    auto const of_blocks = blocks(world);
    auto const sums = sum_of_ranks(world, sums_);
    if (world.rank() != 0) return "";
    std::string text;
    auto const add = [&text](std::string const& one) { text += (text.empty() ? "# " : "; ") + one; };
    if (of_messages.checked != 0 || of_blocks.checked + sums.checked == 0)
        add(sentence(of_messages, names_of(host_of_rank, hosts)));
    if (of_blocks.checked != 0) add(sentence(of_blocks));
    if (sums.checked == 0) return text;
    auto const of_sums = std::to_string(sums.checked) + " sums";
    add(sums.wrong == 0 ? "No wrong bit in " + of_sums
                        : "Wrong bits in " + std::to_string(sums.wrong) + " of " + of_sums);
    auto const rows = std::to_string(repeated_.checked) + (repeated_.checked == 1 ? " row" : " rows");
    if (repeated_.wrong != 0)
        add("sums of rounded numbers differ in " + std::to_string(repeated_.wrong) + " of " + rows);
    else if (repeated_.checked != 0) add("sums of rounded numbers have the same bits again in " + rows);
    return text;
}

} // namespace suite
