// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/trace/trace_reader.hpp"

#include "tools/replay/trace/call_checks.hpp"
#include "tools/replay/trace/packed_times.hpp"
#include "tools/replay/trace/program_reader.hpp"
#include "tools/replay/trace/trace_values.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <tuple>

namespace tools::replay {

namespace {

using nlohmann::json;

std::size_t events_in(step const& s) {
    if (!s.is_loop()) return 1;
    return std::accumulate(s.body.begin(), s.body.end(), std::size_t{0},
                           [](std::size_t sum, step const& part) { return sum + events_in(part); });
}

std::vector<times::slices> times_of(json const& list, std::size_t events) {
    require(list.size() == events, "the times are not those of the program");
    std::vector<times::slices> found;
    for (auto const& one : list) {
        times::slices slices{};
        require(!one.is_array() || one.size() == slices.size(), "a call has another number of times");
        for (std::size_t i = 0; i != slices.size(); ++i) slices[i] = read_seconds(one.is_array() ? one[i] : one);
        found.push_back(slices);
    }
    return found;
}

/// The ranks of each text of a communicator.
struct rank_lists {
    std::map<std::string, rank_list> known{};
    std::size_t ranks = 0; // in all of them
};

communicator communicator_of(json const& name, int rank, int all, rank_lists& lists) {
    constexpr std::size_t most = std::size_t{1} << 27;
    auto const text = read_text(name), ranks = text.substr(0, text.find('#'));
    auto const [at, is_new] = lists.known.try_emplace(ranks);
    if (is_new) {
        at->second = ranks_of_text(ranks, all);
        lists.ranks += at->second.size();
        require(lists.ranks <= most, "communicators have more than " + std::to_string(most) + " ranks in all");
    }
    std::vector<int> const& world = at->second;
    auto const own = std::find(world.begin(), world.end(), rank);
    if (own == world.end()) return {.text = text};
    return {.world = at->second, .rank = static_cast<int>(own - world.begin()), .text = text};
}

/// Times of a call in the kept passes.
kept_times row_of(json const& row, int digits) {
    require(row.is_string(), "the times of a call in a loop are no text");
    auto const& text = row.get_ref<std::string const&>();
    auto const width = static_cast<std::size_t>(digits);
    kept_times found;
    require(text.size() == width * found.size(), "a call has times of another number of passes");
    for (std::size_t i = 0; i != found.size(); ++i)
        found[i] = unpacked_time(std::string_view{text}.substr(i * width, width));
    return found;
}

std::vector<kept_times> rows_of(json const& list, std::size_t rows, int digits) {
    require(list.is_array() && list.size() == rows, "the passes are not those of the program");
    std::vector<kept_times> found;
    for (auto const& row : list) found.push_back(row_of(row, digits));
    return found;
}

/// Ends of calls since MPI_Init. In a trace those of a pass count from the first.
std::vector<kept_times> ends_of(json const& passes, std::size_t rows) {
    auto found = rows_of(passes.at("end"), rows, digits_in_pass);
    auto const first = row_of(passes.at("first"), digits_since_init);
    for (auto& row : found)
        for (std::size_t pass = 0; pass != row.size(); ++pass) row[pass] += first[pass];
    return found;
}

/// The kept passes of the loops of a body, which are as many as the loops that are in no other one.
std::vector<loop_passes> passes_of(json const& list, program const& run) {
    std::vector<loop_passes> found;
    std::size_t at = 0, place = 0;
    for (auto const& s : run.body) {
        if (s.is_loop()) {
            auto const& object = list.at(at++);
            auto const rows = kept_rows(s) / passes_inside(s.passes);
            require(integer_from<std::size_t>(object.at("place"), "place", 0) == place,
                    "the passes are not those of the program");
            found.push_back({place, rows_of(object.at("think"), rows, digits_of_interval),
                             rows_of(object.at("call"), rows, digits_of_interval), ends_of(object, rows)});
        }
        place += events_in(s);
    }
    require(at == list.size(), "there are passes of no loop");
    return found;
}

rank_clock clock_of(json const& list) {
    constexpr double most = 1e9, most_drift = 1e-2;
    auto const number = [&](std::size_t at, double limit) {
        auto const value = list.at(at).get<double>();
        require(std::abs(value) <= limit, "a clock is none");
        return value;
    };
    return {number(0, most), number(1, most_drift), read_seconds(list.at(2))};
}

window window_of(json const& object, int rank, int all, rank_lists& known) {
    window found{communicator_of(object.at("ranks"), rank, all, known),
                 integer_within(object.at("bytes"), "bytes", 0, most_bytes),
                 integer_within(object.at("unit"), "unit", 1, std::numeric_limits<int>::max()),
                 read_text(object.at("flavor"))};
    require(!found.ranks.world.empty(), "a window is not of the rank");
    return found;
}

/// What calls have each time anew.
void read_samples(json const& line, std::size_t events, thread_trace& into) {
    for (auto const& [place, n] : line.at("polls").items())
        into.polls[place_of(place, events)] = integer_from<std::uint64_t>(n, "polls", 0);
    for (auto const& [place, list] : line.at("matched").items())
        for (auto const& one : list)
            into.matched[place_of(place, events)].emplace_back(integer_from<int>(one.at(0), "matched", absent),
                                                               integer_from<std::uint64_t>(one.at(1), "matched", 0));
    for (auto const& [place, ends] : line.at("displacements").items()) {
        auto const range = integers_within(ends, "displacements", 0, most_bytes);
        require(range.size() == 2 && range[1] >= range[0], "displacements are no range");
        into.displacements[place_of(place, events)] = {range[0], range[1]};
    }
}

thread_trace thread_of(json const& line, std::vector<program>& programs, std::size_t first, int ranks,
                       rank_lists& known) {
    thread_trace found;
    found.rank = static_cast<int>(integer_within(line.at("rank"), "rank", 0, ranks - 1));
    found.thread = integer_from<int>(line.at("thread"), "thread", 0);
    found.program = first + static_cast<std::size_t>(index_of(line.at("program"), programs.size() - first));
    auto& run = programs[found.program];
    found.begin = read_seconds(line.at("seconds").at(0));
    found.end = read_seconds(line.at("seconds").at(1));
    found.clock = clock_of(line.at("clock"));
    found.crowded = line.at("crowded").get<bool>();
    for (auto const& text : line.at("communicators"))
        found.communicators.push_back(communicator_of(text, found.rank, ranks, known));
    for (auto const& one : line.at("windows")) found.windows.push_back(window_of(one, found.rank, ranks, known));
    check_objects(run.body, found);
    found.dropped = integer_from<std::uint64_t>(line.at("dropped"), "dropped", 0);
    for (auto const& [call, n] : line.at("not_recorded").items())
        found.not_recorded[read_text(call)] = integer_from<std::uint64_t>(n, "not_recorded", 0);
    found.think = times_of(line.at("think"), run.events);
    found.call = times_of(line.at("call"), run.events);
    found.passes = passes_of(line.at("passes"), run);
    read_samples(line, run.events, found);
    return found;
}

trace_about about_of(json const& line) {
    require(line.value("type", "") == "trace", "this is no trace of libsonde-trace");
    auto const schema = integer_from<int>(line.at("schema"), "schema", 0);
    if (schema != trace_schema)
        throw std::runtime_error{"the trace is of schema " + std::to_string(schema) + ", written by Sonde " +
                                 read_text(line.value("version", "?")) + "; this program reads schema " +
                                 std::to_string(trace_schema)};
    return {static_cast<int>(integer_within(line.at("ranks"), "ranks", 1, 1 << 24)), read_text(line.at("library")),
            read_text(line.at("command"))};
}

/// Reads a file line by line into a trace.
class file_reader {
public:
    file_reader(std::string path, trace& into) : path_{std::move(path)}, into_{into}, first_{into.programs.size()} {}

    void read() {
        errno = 0;
        std::ifstream file{path_};
        if (!file) throw std::system_error{errno, std::generic_category(), "cannot read '" + path_ + "'"};
        for (std::string text; std::getline(file, text);) {
            auto const line = json::parse(text, nullptr, false);
            auto const is_cut = file.eof(); // no line feed
            if (is_cut && line.is_discarded()) break;
            ++number_;
            guarded([&] { take(line); });
        }
        if (number_ == 0) guarded([] { require(false, "this is no trace of libsonde-trace"); });
        if (!is_ended_)
            into_.remarks.push_back("'" + path_ + "' is cut after line " + std::to_string(number_) +
                                    ": what was behind it is missing");
    }

private:
    void guarded(auto f) {
        try {
            f();
        } catch (std::exception const& e) {
            throw std::runtime_error{"'" + path_ + "', line " + std::to_string(std::max(number_, 1)) + ": " + e.what()};
        }
    }

    void take(json const& line) {
        require(line.is_object(), number_ == 1 ? "this is no trace of libsonde-trace" : "this is no JSON object");
        if (number_ == 1) return take_about(about_of(line));
        require(!is_ended_, "there is a line after the end");
        auto const type = line.at("type").get<std::string>();
        if (type == "program") {
            require(integer_from<std::size_t>(line.at("program"), "program", 0) == into_.programs.size() - first_,
                    "a program is missing");
            into_.programs.push_back(program_of(line));
        } else if (type == "rank") {
            into_.threads.push_back(thread_of(line, into_.programs, first_, into_.about.ranks, rank_lists_));
        } else if (type == "end") {
            is_ended_ = true;
            require(integer_from<int>(line.at("lines"), "lines", 0) == number_ - 1, "lines are missing before the end");
        }
    }

    void take_about(trace_about const& about) {
        auto& known = into_.about;
        if (known.ranks == 0) known = about;
        require(known.ranks == about.ranks && known.library == about.library && known.command == about.command,
                "this file is of another run than those before it");
    }

    std::string path_;
    trace& into_;
    std::size_t first_;
    rank_lists rank_lists_;
    int number_ = 0;
    bool is_ended_ = false;
};

template <class N>
bool read_number(std::string_view& text, N& value) {
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return error == std::errc{} && value >= 0;
}

} // namespace

std::size_t kept_rows(step const& s) {
    constexpr std::size_t most = std::size_t{1} << 32; // more than a file has
    if (!s.is_loop()) return 1;
    std::size_t body = 0;
    for (auto const& part : s.body) body += kept_rows(part);
    require(body < most, "loops are in each other too often");
    return passes_inside(s.passes) * body;
}

std::vector<int> ranks_of_text(std::string const& text, int all) {
    std::vector<int> ranks;
    std::vector<bool> is_there;
    for (std::string_view left{text};;) {
        int first = 0, last = 0, every = 1;
        if (!read_number(left, first)) return {};
        last = first;
        if (left.starts_with('-') && (left.remove_prefix(1), !read_number(left, last))) return {};
        if (left.starts_with(':') && (left.remove_prefix(1), !read_number(left, every))) return {};
        if (every == 0 || last < first || last >= all) return {};
        is_there.resize(static_cast<std::size_t>(all));
        for (auto rank = std::int64_t{first}; rank <= last; rank += every) {
            auto const at = static_cast<std::size_t>(rank);
            if (is_there[at]) return {};
            is_there[at] = true;
            ranks.push_back(static_cast<int>(rank));
        }
        if (left.empty()) return ranks;
        if (!left.starts_with(',')) return {};
        left.remove_prefix(1);
    }
}

trace read_trace(std::vector<std::string> const& paths) {
    trace all;
    for (auto const& path : paths) file_reader{path, all}.read();
    auto const key = [](thread_trace const& t) { return std::tuple{t.rank, t.thread}; };
    std::sort(all.threads.begin(), all.threads.end(), [&](auto& a, auto& b) { return key(a) < key(b); });
    for (std::size_t i = 1; i < all.threads.size(); ++i)
        if (key(all.threads[i]) == key(all.threads[i - 1]))
            throw std::runtime_error{"rank " + std::to_string(all.threads[i].rank) + " is there twice"};
    return all;
}

} // namespace tools::replay
