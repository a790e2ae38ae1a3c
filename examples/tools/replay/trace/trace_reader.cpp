// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/trace/trace_reader.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <tuple>

namespace tools::replay {

namespace {

using nlohmann::json;

constexpr int deepest = 200; // loops in loops

void require(bool holds, char const* what) {
    if (!holds) throw std::runtime_error{what};
}

distance partner_of(json const& value) {
    if (value.is_string()) {
        auto const& text = value.get_ref<std::string const&>();
        require(text == "any" || text == "null", "a partner is neither a distance, \"any\" nor \"null\"");
        return text == "any" ? any_partner : null_partner;
    }
    auto const d = value.get<distance>();
    require(d >= 0, "a partner's distance is negative");
    return d;
}

/// An index in a table of the program.
std::int32_t index_of(json const& value, std::size_t size) {
    auto const index = value.get<std::int64_t>();
    require(index >= 0 && static_cast<std::uint64_t>(index) < size, "a number refers to nothing in its table");
    return static_cast<std::int32_t>(index);
}

step event_of(json const& object, program& in) {
    step found;
    found.call = object.at("call").get<std::string>();
    found.place = in.events++;
    auto& e = found.what;
    e.site = index_of(object.at("site"), in.sites.size());
    std::pair<char const*, std::int32_t event::*> const numbers[] = {
        {"comm", &event::comm},         {"window", &event::window}, {"tag", &event::tag},
        {"recv_tag", &event::recv_tag}, {"root", &event::root},     {"made", &event::made}};
    for (auto const& [key, member] : numbers)
        if (object.contains(key)) e.*member = object[key].get<std::int32_t>();
    if (object.contains("to")) e.to = partner_of(object["to"]);
    if (object.contains("from")) e.from = partner_of(object["from"]);
    if (object.contains("count")) e.count = object["count"].get<std::int64_t>();
    if (object.contains("recv_count")) e.recv_count = object["recv_count"].get<std::int64_t>();
    if (object.contains("type")) e.type = index_of(object["type"], in.types.size());
    if (object.contains("recv_type")) e.recv_type = index_of(object["recv_type"], in.types.size());
    if (object.contains("operation")) e.operation = index_of(object["operation"], in.operations.size());
    if (object.contains("mode")) {
        auto const mode = mode_of(object["mode"].get<std::string>());
        require(mode.has_value(), "a mode has a name that is not known");
        e.mode = *mode;
    }
    if (object.contains("counts")) found.counts = object["counts"].get<std::vector<std::int64_t>>();
    if (object.contains("requests")) found.requests = object["requests"].get<std::vector<std::int64_t>>();
    return found;
}

std::vector<step> body_of(json const& list, program& in, int depth) {
    require(list.is_array() && depth < deepest, "the calls are no list");
    std::vector<step> body;
    for (auto const& object : list) {
        if (!object.contains("passes")) {
            body.push_back(event_of(object, in));
            continue;
        }
        step loop;
        loop.passes = object["passes"].get<std::uint64_t>();
        require(loop.passes > 0, "a loop has no pass");
        loop.body = body_of(object.at("body"), in, depth + 1);
        body.push_back(std::move(loop));
    }
    return body;
}

program program_of(json const& line) {
    program found;
    found.sites = line.at("sites").get<std::vector<std::string>>();
    found.operations = line.at("operations").get<std::vector<std::string>>();
    for (auto const& type : line.at("types"))
        found.types.push_back({type.at("name"), type.at("size"), type.at("extent")});
    found.body = body_of(line.at("body"), found, 0);
    return found;
}

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
        if (one.is_number()) slices.fill(one.get<double>());
        else slices = one.get<times::slices>();
        found.push_back(slices);
    }
    return found;
}

/// The ranks of each text of a communicator.
using rank_lists = std::map<std::string, rank_list>;

communicator communicator_of(std::string const& text, int rank, rank_lists& known) {
    auto const ranks = text.substr(0, text.find('#'));
    auto const [at, is_new] = known.try_emplace(ranks);
    if (is_new) at->second = ranks_of_text(ranks);
    std::vector<int> const& world = at->second;
    auto const own = std::find(world.begin(), world.end(), rank);
    if (own == world.end()) return {.text = text};
    return {.world = at->second, .rank = static_cast<int>(own - world.begin()), .text = text};
}

/// The kept passes of the loops of a body, which are as many as the loops that are in no other one.
std::vector<loop_passes> passes_of(json const& list, program const& run) {
    std::vector<loop_passes> found;
    std::size_t at = 0, place = 0;
    for (auto const& s : run.body) {
        auto const events = events_in(s);
        if (s.is_loop()) {
            auto const& object = list.at(at++);
            auto const rows = kept_rows(s) / passes_inside(s.passes);
            found.push_back({place, object.at("think"), object.at("call")});
            require(object.at("place").get<std::size_t>() == place && found.back().think.size() == rows &&
                        found.back().call.size() == rows,
                    "the passes are not those of the program");
        }
        place += events;
    }
    require(at == list.size(), "there are passes of no loop");
    return found;
}

window window_of(json const& object, int rank, rank_lists& known) {
    window found{communicator_of(object.at("ranks"), rank, known), object.at("bytes"), object.at("unit"),
                 object.at("flavor")};
    require(!found.ranks.world.empty(), "a window is not of the rank");
    require(found.bytes >= 0 && found.unit > 0, "a window has no size");
    return found;
}

/// Throws for events that name a communicator or a window which the thread does not have.
void require_objects(std::vector<step> const& body, thread_trace const& thread) {
    auto const is_listed = [](std::int32_t id, std::size_t all) {
        return id < 0 || static_cast<std::size_t>(id) < all;
    };
    for (auto const& s : body) {
        auto const makes_window = s.call.starts_with("Win_");
        require(is_listed(s.what.comm, thread.communicators.size()), "a call is on a communicator that is not listed");
        require(is_listed(s.what.window, thread.windows.size()), "a call is on a window that is not listed");
        require(is_listed(s.what.made, makes_window ? thread.windows.size() : thread.communicators.size()),
                "a call makes an object that is not listed");
        require_objects(s.body, thread);
    }
}

thread_trace thread_of(json const& line, std::vector<program> const& programs, std::size_t first, int ranks,
                       rank_lists& known) {
    thread_trace found;
    found.rank = line.at("rank");
    require(found.rank >= 0 && found.rank < ranks, "the rank is not one of the trace");
    found.thread = line.at("thread");
    found.program = first + static_cast<std::size_t>(index_of(line.at("program"), programs.size() - first));
    auto const& run = programs[found.program];
    found.begin = line.at("seconds").at(0);
    found.end = line.at("seconds").at(1);
    for (auto const& text : line.at("communicators"))
        found.communicators.push_back(communicator_of(text, found.rank, known));
    for (auto const& one : line.at("windows")) found.windows.push_back(window_of(one, found.rank, known));
    require_objects(run.body, found);
    found.dropped = line.at("dropped");
    found.not_recorded = line.at("not_recorded").get<std::map<std::string, std::uint64_t>>();
    found.think = times_of(line.at("think"), run.events);
    found.call = times_of(line.at("call"), run.events);
    found.passes = passes_of(line.at("passes"), run);
    for (auto const& [place, n] : line.at("polls").items()) found.polls[std::stoul(place)] = n;
    for (auto const& [place, list] : line.at("matched").items())
        found.matched[std::stoul(place)] = list.get<std::vector<std::pair<int, std::uint64_t>>>();
    for (auto const& [place, ends] : line.at("displacements").items()) {
        auto const& range = found.displacements[std::stoul(place)] = ends.get<displacement_range>();
        require(range[0] >= 0 && range[1] >= range[0], "displacements are no range");
    }
    return found;
}

trace_about about_of(json const& line) {
    require(line.value("type", "") == "trace", "this is no trace of libsonde-trace");
    auto const schema = line.at("schema").get<int>();
    if (schema != trace_schema)
        throw std::runtime_error{"the trace is of schema " + std::to_string(schema) + ", written by Sonde " +
                                 line.value("version", "?") + "; this program reads schema " +
                                 std::to_string(trace_schema)};
    trace_about const about{line.at("ranks"), line.at("library"), line.at("command")};
    require(about.ranks > 0, "the trace has no ranks");
    return about;
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
            require(line.at("program").get<std::size_t>() == into_.programs.size() - first_, "a program is missing");
            into_.programs.push_back(program_of(line));
        } else if (type == "rank") {
            into_.threads.push_back(thread_of(line, into_.programs, first_, into_.about.ranks, rank_lists_));
        } else if (type == "end") {
            is_ended_ = true;
            require(line.at("lines").get<int>() == number_ - 1, "lines are missing before the end");
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
    if (!s.is_loop()) return 1;
    std::size_t body = 0;
    for (auto const& part : s.body) body += kept_rows(part);
    return passes_inside(s.passes) * body;
}

std::vector<int> ranks_of_text(std::string const& text) {
    constexpr std::size_t most = std::size_t{1} << 24;
    std::vector<int> ranks;
    for (std::string_view left{text};;) {
        int first = 0, last = 0, every = 1;
        if (!read_number(left, first)) return {};
        last = first;
        if (left.starts_with('-') && (left.remove_prefix(1), !read_number(left, last))) return {};
        if (left.starts_with(':') && (left.remove_prefix(1), !read_number(left, every))) return {};
        if (every == 0 || last < first || ranks.size() + static_cast<std::size_t>(last - first) > most) return {};
        for (auto rank = first; rank <= last; rank += every) ranks.push_back(rank);
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
