// SPDX-License-Identifier: BSL-1.0
#include "imb/driver/imb_options.hpp"

#include "suite/values.hpp"

#include <climits>
#include <cstdint>
#include <optional>

namespace imb {

option_row help_option() { return {"help", "print this; -help OPTION: explain one", no_effect()}; }

option_row list_option(options& into) {
    return {"list", "print the names of the benchmarks", assign(into.requested, action::list)};
}

option_row thread_level_option(options& into, std::string help) {
    std::vector<choice<threading>> levels;
    for (auto const level : {threading::single, threading::funneled, threading::serialized, threading::multiple})
        levels.push_back({name(level), level});
    return {"thread_level LEVEL", std::move(help), one_of(into.level, levels)};
}

option_value name_list(std::vector<std::string>& into) {
    auto const name = [](std::string& one) {
        return text(one, "names of benchmarks with commas between; -list prints them");
    };
    return joined(',', list_of(into, repeated::appends, name));
}

std::vector<option_row> selection_options(options& into) {
    auto const add_names = [](std::vector<std::string>& names, std::string const& path) {
        auto const more = names_in("-input", path);
        names.insert(names.end(), more.begin(), more.end());
        return true;
    };
    return {
        {"input FILE", "run the benchmarks named in FILE, one a line; a line that begins with # is a comment",
         set_by(into.names, add_names, "a file of names")},
        {"include NAME,...", "run these first, beside the default list", name_list(into.included)},
        {"exclude NAME,...", "do not run these", name_list(into.excluded)},
    };
}

option_value size_file(std::vector<std::size_t>& into) {
    return parsed(
        into, [](std::string const& path) { return std::optional{sizes_in("-msglen", path)}; }, "a file of sizes");
}

option_row window_size_option(options& into, std::string help) {
    constexpr std::size_t most = INT_MAX / 2; // of two directions: twice as many requests, which MPI counts with an int
    return {"window_size", std::move(help), whole(into.window, 1, most)};
}

option_row check_option(options& into, std::string help) { return {"check", std::move(help), on_off(into.check)}; }

option_row unless_lacking(option_set lacks, option_name which, option_row row) {
    row.taken = !lacks.contains(which);
    return row;
}

namespace {

using rows = std::vector<option_row>;

constexpr std::size_t most_counts = INT_MAX; // MPI and the table count with an int
constexpr std::size_t mebi = std::size_t{1} << 20;

/// A negative number is one group, as without the option.
bool set_groups(std::optional<int>& into, std::string const& text) {
    auto const found = number<int>(text, INT_MIN, INT_MAX);
    into = found >= 0 ? found : std::nullopt;
    return found.has_value();
}

/// "C[,L]": none for a cache of 0 bytes.
std::optional<std::optional<cache>> cache_of(std::string const& text) {
    auto const parts = split(text, ',');
    if (parts.size() > 2) return std::nullopt;
    auto const line = parts.size() == 2 ? number<std::size_t>(parts[1], 1, mebi) : 64;
    auto const usual = parts.size() == 1 && number<double>(text, -1e300, -1e-300);
    auto const size = usual ? 8 : number<double>(parts[0], 0, double(mebi));
    if (!line || !size) return std::nullopt;
    auto const bytes = static_cast<std::size_t>(*size * double(mebi));
    return bytes == 0 ? std::optional<cache>{} : cache{bytes, *line};
}

/// "MSGS[,VOL[,NONAGGR]]"
std::optional<iterations> iterations_of(std::string const& text) {
    iterations found;
    auto volume = found.volume / mebi;
    auto const parts = split(text, ',');
    auto const accepted = parts.size() <= 3 && whole(found.messages, 1, most_counts).set(parts[0]) &&
                          (parts.size() < 2 || whole(volume, 0, std::size_t{1} << 33).set(parts[1])) &&
                          (parts.size() < 3 || whole(found.nonaggregate, 1, most_counts).set(parts[2]));
    found.volume = volume * mebi;
    return accepted ? std::optional{found} : std::nullopt;
}

/// "MAX" or "MIN:MAX"
bool set_logs(options& into, std::string const& text) {
    auto const parts = split(text, ':');
    into.min_log = 0;
    return parts.size() <= 2 && (parts.size() < 2 || whole(into.min_log, 0, 30).set(parts[0])) &&
           whole(into.max_log, into.min_log, 30).set(parts.back());
}

/// "PxQ"
std::optional<grid> grid_of(std::string const& text) {
    if (text == "0x0") return grid{};
    auto const parts = split(text, 'x');
    auto const p = parts.size() == 2 ? number<int>(parts[0], 1, INT_MAX) : std::nullopt;
    auto const q = p ? number<int>(parts[1], 1, INT_MAX / *p) : std::nullopt;
    return q ? std::optional{grid{*p, *q}} : std::nullopt;
}

/// "KEY=VALUE", appended.
bool add_hint(std::vector<std::pair<std::string, std::string>>& into, std::string const& text) {
    auto const equals = text.find('=');
    if (equals == text.npos || equals == 0) return false;
    into.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    return true;
}

rows processes(options& o) {
    return {
        {"npmin", "processes of the first run, doubled until it is all of them (2; files: 1)",
         whole(o.npmin, 1, INT_MAX)},
        {"multi N", "groups run at once: 0: a table of all; above: lines of each; below: one group alone (-1)",
         set_by(o.multi, set_groups, "a whole number, such as -1, 0, 1")},
        {"group_start", "groups begin at once with one count, or each by itself ({default})",
         one_of(o.groups_together, {{"together", true}, {"apart", false}})},
    };
}

rows repetitions(options& o) {
    return {
        {"off_cache C[,L]", "buffers rotate through twice a cache of C MiB with lines of L bytes; -1: 8,64 (0: off)",
         joined(',', parsed(o.off_cache, cache_of,
                            "-1, or C[,L]: C in 2^20 bytes from 0 to 1048576, L in bytes, whole, from 1 to 1048576"))},
        {"iter MSGS[,VOL[,NONAGGR]]", "most repetitions, most 2^20 bytes, most of the non-aggregate mode (1000,40,100)",
         joined(',',
                parsed(o.iter, iterations_of,
                       "MSGS[,VOL[,NONAGGR]], whole: MSGS, NONAGGR from 1 to 2147483647, VOL in 2^20 bytes from 0 to "
                       "8589934592"))},
        {"iter_policy POLICY", "what fixes the repetitions: {words} ({default})",
         one_of(o.counted, {{"dynamic", policy::dynamic},
                            {"off", policy::off},
                            {"multiple_np", policy::multiple_np},
                            {"auto", policy::automatic}})},
        {"time SECONDS", "the most that a size takes ({default})", real(o.time, "seconds", "0.000001", "1e9", {"s"})},
        {"mem GIB", "the most memory of a process, in 2^30 bytes ({default})",
         real(o.memory, "2^30 bytes,", "0.000001", "1e6", {"GiB", "GB", "G", "g"})},
    };
}

rows sizes(options& o, option_set lacks) {
    using enum option_name;
    auto const size = [](std::size_t& one) { return whole(one, 0, PTRDIFF_MAX); };
    return {
        {"msglen FILE", "sizes, one a line, such as 12, 4k, 1m, 1g", size_file(o.sizes)},
        unless_lacking(lacks, msgsize,
                       {"msgsize S,...", "sizes in bytes, in place of -msglen",
                        joined(',', accepting("sizes in bytes, whole, without suffix, commas between",
                                              list_of(o.sizes, repeated::replaces, size)))}),
        {"msglog [MIN:]MAX", "sizes from 2^MIN to 2^MAX (0:22)",
         joined(':', set_by(o, set_logs, "MAX or MIN:MAX, from 0 to 30, MIN not above MAX"))},
    };
}

rows modes_and_ranks(options& o, option_set lacks) {
    using enum option_name;
    return {
        {"map PxQ", "neighbors in the order of ranks are P apart: processes of Q nodes, P on each (1x1)",
         joined('x', parsed(o.map, grid_of, "PxQ, whole, from 1x1; 0x0: ranks as they come"))},
        unless_lacking(lacks, aggregate_mode,
                       {"aggregate_mode MODE",
                        "of tests with two modes: aggregate, non_aggregate or both of them, multi ({default})",
                        one_of(o.aggregate, {{"aggregate", modes::aggregate},
                                             {"non_aggregate", modes::non_aggregate},
                                             {"multi", modes::both}})}),
        unless_lacking(lacks, root_shift,
                       {"root_shift", "each repetition has the next root ({default})", on_off(o.root_shift)}),
        unless_lacking(lacks, sync, {"sync", "a barrier after each call of a collective ({default})", on_off(o.sync)}),
        {"imb_barrier", "barriers are a dissemination of messages, not MPI_Barrier ({default})", on_off(o.own_barrier)},
        unless_lacking(lacks, zero_size, {"zero_size", "size 0 comes first ({default})", on_off(o.zero_size)}),
        {"warm_up", "repetitions before those that count ({default})", on_off(o.warm_up)},
        {"msg_pause", "a pause after each size ({default})", on_off(o.pause)},
        unless_lacking(lacks, window_size,
                       window_size_option(o, "messages in flight at the same time in Uniband and Biband ({default})")),
    };
}

/// Words of `-mem_alloc_type`: IMB's own, then those of both suites.
std::vector<choice<memory_choice>> kinds_of_memory() {
    std::vector<choice<memory_choice>> all;
    for (auto const column : {&memory_row::allocation_word, &memory_row::word})
        for (auto const& row : suite::memory_table())
            if (!(row.*column).empty()) all.push_back({std::string{row.*column}, {row.kind, row.api}});
    return all;
}

rows datatypes(options& o, option_set lacks) {
    using enum option_name;
    return {
        unless_lacking(lacks, data_type,
                       {"data_type TYPE", "elements of messages: {words} ({default})",
                        accepting("{accepted} (of the types of MPI none has 16 bits)",
                                  one_of(o.data, {{"byte", element::byte},
                                                  {"char", element::character},
                                                  {"int", element::integer},
                                                  {"float", element::real},
                                                  {"double", element::double_real}}))}),
        unless_lacking(lacks, red_data_type,
                       {"red_data_type TYPE", "elements of reductions: {words} ({default})",
                        accepting("{accepted} (MPI does not sum characters)",
                                  one_of(o.reduced, {{"int", element::integer},
                                                     {"float", element::real},
                                                     {"double", element::double_real}}))}),
        unless_lacking(lacks, contig_type,
                       {"contig_type LAYOUT", "how types are made: {words} ({default})",
                        one_of(o.contiguous, {{"base", layout::base},
                                              {"base_vec", layout::base_vec},
                                              {"resize", layout::resize},
                                              {"resize_vec", layout::resize_vec}})}),
        unless_lacking(lacks, mem_alloc_type,
                       {"mem_alloc_type KIND",
                        "memory of messages; cuda, pinned, managed: device, host, shared ({default})",
                        one_of(o.allocated, kinds_of_memory())}),
    };
}

rows validation_and_files(options& o, option_set lacks) {
    using enum option_name;
    return {
        check_option(
            o, "validate contents in a separate pass, which is not timed, and add a column of defects ({default})"),
        unless_lacking(lacks, option_name::check_bits,
                       {"check_bits ROUNDS",
                        "after each size, compare all bits of ROUNDS repetitions; locate wrong ones",
                        whole(o.bits, 1, most_counts)}),
        unless_lacking(lacks, dir, {"dir DIR", "directory of the files ({default})", text(o.directory, "a directory")}),
        unless_lacking(
            lacks, hint,
            {"hint KEY=VALUE", "for MPI_File_open; may be repeated", set_by(o.hints, add_hint, "KEY=VALUE")}),
        report_option(o.reports),
    };
}

} // namespace

std::vector<option_row> option_table(options& into, option_set lacks) {
    rows all{help_option(), list_option(into),
             thread_level_option(into, "what MPI is started with: {words} ({default})")};
    for (auto const& some : {selection_options(into), processes(into), repetitions(into), sizes(into, lacks),
                             modes_and_ranks(into, lacks), datatypes(into, lacks), validation_and_files(into, lacks)})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

} // namespace imb
