// SPDX-License-Identifier: BSL-1.0
// The words beside the options: where buffers are.
#include "words.hpp"

#include "common.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace osu {

namespace {

struct meaning {
    char const* word;
    placement where;
    char const* help;
};

constexpr std::array<meaning, 5> meanings{{{"H", placement::host, "host memory"},
                                           {"D", placement::device, "device memory"},
                                           {"M", placement::managed_host, "managed memory"},
                                           {"MH", placement::managed_host, "managed memory, used by the host"},
                                           {"MD", placement::managed_device, "managed memory, used by the device"}}};

/// NCCL takes no memory of the host that is not page-locked, which H is nowhere.
bool takes_host(program const& about) { return !about.nccl; }

/// Whoever uses managed memory next has it: nothing is said of that.
bool has_one_managed(program const& about) { return is_collective(about) || about.one_sided; }

/// H alone, H, D, M, or all.
std::size_t known(program const& about) {
    if (!about.takes('d')) return 1;
    return has_one_managed(about) ? 3 : meanings.size();
}

std::string accepted(program const& about) {
    if (!about.takes('d')) return "H H";
    if (is_collective(about)) return takes_host(about) ? "H H, D D or M M" : "D D or M M";
    if (about.one_sided) return "two of H, D, M";
    return takes_host(about) ? "two of H, D, MH, MD" : "two of D, MH, MD";
}

placement place_of(program const& about, std::string const& word) {
    auto const* const end = meanings.begin() + known(about);
    auto const* const found = std::find_if(meanings.begin(), end, [&](meaning const& m) { return word == m.word; });
    auto const host = found != end && found->where == placement::host;
    if (host && !takes_host(about))
        throw refusal{"NCCL takes no pageable memory of the host [" + word +
                      "]; accepted beside options: " + accepted(about)};
    if (found != end) return found->where;
    auto const* const why =
        is_place(word) && !about.takes('d') ? "Benchmark Does Not Support Accelerator Transfers" : "Invalid word";
    throw refusal{std::string{why} + " [" + word + "]; accepted beside options: " + accepted(about)};
}

/// What words select where -d is not given.
accelerator accelerator_of(program const& about, placements where) {
    if (where.all_host()) return accelerator::none;
    return is_collective(about) && where.any_managed() ? accelerator::managed : accelerator::cuda;
}

/// Buffers of a collective are of one kind, that of -d where it is given.
void require_one_kind(options const& asked, program const& about, accelerator said) {
    auto const where = *asked.words;
    auto const words = " [" + std::string{word(about, where.source)}.append(" ").append(word(about, where.destination));
    if (where.source != where.destination)
        throw refusal{"Buffers of a collective are of one kind" + words + "]; accepted: " + accepted(about)};
    if (asked.on != accelerator::none && asked.on != said)
        throw refusal{"Buffers of a collective are where -d says" + words +
                      "]; accepted: -d cuda or D D, -d managed or M M"};
}

/// What NCCL moves is on devices, where nothing else is said.
void set_nccl_places(options& into, program const& about) {
    if (into.on == accelerator::none) into.on = accelerator::cuda;
    if (!is_collective(about)) into.words = placements{placement::device, placement::device};
}

} // namespace

bool is_place(std::string const& word) {
    return std::any_of(meanings.begin(), meanings.end(), [&](meaning const& m) { return word == m.word; });
}

char const* word(program const& about, placement where) {
    return is_managed(where) && has_one_managed(about) ? "M" : word(where);
}

std::string spelt(program const& about, placement where) {
    auto const* const kind = is_managed(where) ? "MANAGED" : where == placement::device ? "DEVICE" : "HOST";
    return std::string{kind}.append(" (").append(word(about, where)).append(")");
}

void set_places(options& into, program const& about, std::vector<std::string> const& words) {
    if (words.empty()) {
        if (about.nccl) set_nccl_places(into, about);
        return;
    }
    for (auto const& w : words) static_cast<void>(place_of(about, w)); // the first that is none is named
    if (words.size() != 2)
        throw refusal{"Invalid word [" + words.back() + "]; accepted beside options: " + accepted(about)};
    into.words = placements{place_of(about, words[0]), place_of(about, words[1])};
    into.bare_managed = words[0] == "M" || words[1] == "M";
    auto const said = accelerator_of(about, *into.words);
    if (is_collective(about)) require_one_kind(into, about, said);
    if (into.on == accelerator::none) into.on = said;
    if (into.words->any_managed()) into.buffers_apart = true;
}

std::string device_wish(options const& asked) {
    std::string const staged = asked.staged ? " --staged" : "";
    if (asked.words && !asked.words->all_host())
        return std::string{word(asked.words->source)} + " " + word(asked.words->destination) + staged;
    if (asked.on != accelerator::none) return asked.on == accelerator::cuda ? "-d cuda" : "-d managed";
    if (asked.work_on != work_place::cpu) return asked.work_on == work_place::gpu ? "-r gpu" : "-r both";
    return {};
}

std::string title_suffix(program const& about, options const& asked) {
    if (asked.on == accelerator::none || !about.suffixed) return {};
    if (asked.on == accelerator::cuda) return "-CUDA";
    if (asked.wanted == wish::version) return "-CUDA MANAGED";
    return about.shows == figure::overlap ? "-MANAGED" : "";
}

std::string explained_words(program const& about) {
    if (!about.takes('d')) return {};
    auto const each =
        std::string{"SRC says where the buffers of rank 0 or the lower half are, DST those of the others "} +
        (takes_host(about) ? "(H H):\n" : "(D D):\n");
    std::string text =
        is_collective(about) ? "SRC and DST, which are the same, say where all buffers are (as -d does):\n" : each;
    for (std::size_t i = takes_host(about) ? 0 : 1; i != known(about); ++i)
        text += "  " + std::string{meanings[i].word} + std::string(4 - std::string{meanings[i].word}.size(), ' ') +
                meanings[i].help + "\n";
    return text;
}

} // namespace osu
