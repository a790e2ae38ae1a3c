// SPDX-License-Identifier: BSL-1.0
#include "imb/p2p/p2p.hpp"

#include "imb/driver/imb_command_line.hpp"
#include "imb/driver/imb_options.hpp"
#include "suite/number_file.hpp"

#include <climits>
#include <optional>

namespace imb::p2p {

namespace {

constexpr auto largest_log = 47;

std::vector<std::size_t> powers(int from, int to) {
    std::vector<std::size_t> all;
    for (auto log = from; log <= to; ++log) all.push_back(std::size_t{1} << log);
    return all;
}

/// "N": 0, 1, 2, 4 .. 2^N; "K:N": 2^K .. 2^N
std::optional<std::vector<std::size_t>> powers_of(std::string const& text) {
    auto const parts = split(text, ':');
    auto const least = parts.size() == 1 ? 0 : number<int>(parts[0], 0, largest_log);
    auto const most = number<int>(parts.back(), least.value_or(0), largest_log);
    if (parts.size() > 2 || !least || !most) return std::nullopt;
    auto all = powers(*least, *most);
    if (parts.size() == 1) all.insert(all.begin(), 0);
    return all;
}

/// "MAX[,VOL]"; without VOL an earlier one remains.
bool set_repetitions(repetitions& into, std::string const& text) {
    auto const parts = split(text, ',');
    auto volume = into.volume >> 20;
    auto const accepted = parts.size() <= 2 && whole(into.most, 1, INT_MAX).set(parts[0]) &&
                          (parts.size() == 1 || whole(volume, 1, std::size_t{1} << 33).set(parts[1]));
    into.volume = volume << 20;
    return accepted;
}

bool add_size(std::vector<std::size_t>& into, std::string const& text) {
    auto const size = size_of(text);
    if (size) into.push_back(*size);
    return size.has_value();
}

} // namespace

std::vector<option_row> option_table(options& o) {
    return {
        help_option(),
        list_option(o),
        {"l", "the same as -list", list_option(o).value},
        {"iter MAX[,VOL]", "repetitions: as many as move VOL 2^20 bytes, MAX at most (100000,800)",
         set_by(o.repeats, set_repetitions,
                "MAX[,VOL], whole: MAX from 1 to 2147483647, VOL in 2^20 bytes from 1 to 8589934592")},
        {"msglog [K:]N", "sizes 0, 1, 2, 4 .. 2^N, or 2^K .. 2^N, in place of all others (22)",
         parsed(o.sizes, powers_of, "N or K:N, from 0 to 47, K not above N")},
        {"msglen FILE", "sizes, one a line, such as 12, 4k, 1m, 1g, in place of all others", size_file(o.sizes)},
        {"msgsz S", "a size more, in bytes, or with k, m, g",
         set_by(o.sizes, add_size, "a whole number, also with k, m or g")},
        {"msgwr", "a byte of every 64 of a message is written before it is sent, inside the clock ({default})",
         on_off(o.touched.writes, spelling::any_case)},
        {"msgrd", "a byte of every 64 of a message is read after it has arrived, inside the clock ({default})",
         on_off(o.touched.reads, spelling::any_case)},
        {"pause USEC", "microseconds before and after a size; below 0: none ({default})",
         whole(o.pause_us, INT_MIN, INT_MAX)},
        check_option(o, "validate contents in a separate pass, which is not timed ({default})"),
        report_option(o.reports),
    };
}

options parse(int argc, char const* const* argv) {
    options found;
    parse_in_order(found, option_table(found), argc, argv, option_style::one_dash_any_case);
    if (found.sizes.empty()) found.sizes = powers_of("22").value();
    return found;
}

} // namespace imb::p2p
