// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/trace/program_reader.hpp"

#include "tools/replay/trace/call_checks.hpp"
#include "tools/replay/trace/trace_text.hpp"
#include "tools/replay/trace/trace_values.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace tools::replay {

namespace {

using nlohmann::json;

constexpr int deepest = 200; // loops in loops

/// Reads the arguments of a call. One that MPI refuses, such as a negative count, moves nothing.
class event_reader {
public:
    event_reader(json const& object, program& in) : object_{object}, in_{in} {}

    step read() {
        auto& e = made_.what;
        made_.call = read_text(object_.at("call"));
        made_.place = in_.events++;
        e.site = index_of(object_.at("site"), in_.sites.size());
        number("comm", e.comm);
        number("window", e.window);
        number("tag", e.tag);
        number("recv_tag", e.recv_tag);
        number("root", e.root);
        number("made", e.made);
        partner("to", e.to);
        partner("from", e.from);
        count("count", e.count);
        count("recv_count", e.recv_count);
        index("type", e.type, in_.types.size());
        index("recv_type", e.recv_type, in_.types.size());
        index("operation", e.operation, in_.operations.size());
        if (auto const* text = find("mode")) {
            auto const mode = mode_of(text->get<std::string>());
            require(mode.has_value(), "a mode has a name that is not known");
            e.mode = *mode;
        }
        list("counts", made_.counts);
        list("requests", made_.requests);
        require_bounded(made_, in_);
        return std::move(made_);
    }

private:
    json const* find(char const* key) const {
        auto const found = object_.find(key);
        return found == object_.end() ? nullptr : &*found;
    }
    void number(char const* key, std::int32_t& to) const {
        if (auto const* n = find(key)) to = integer_from<std::int32_t>(*n, key, absent);
    }
    void index(char const* key, std::int32_t& to, std::size_t size) const {
        if (auto const* n = find(key)) to = index_of(*n, size);
    }
    void list(char const* key, std::vector<std::int64_t>& to) const {
        if (auto const* all = find(key)) to = integers_within(*all, key, absent, most_bytes);
    }
    void partner(char const* key, distance& to) {
        auto const* n = find(key);
        if (n == nullptr) return;
        auto const found = partner_of(*n);
        to = found.value_or(null_partner);
        made_.is_invalid = made_.is_invalid || !found;
    }
    void count(char const* key, std::int64_t& to) {
        auto const* n = find(key);
        if (n == nullptr) return;
        auto const found = integer_within(*n, key, absent, most_bytes);
        to = std::max<std::int64_t>(found, 0);
        made_.is_invalid = made_.is_invalid || found < 0;
    }

    json const& object_;
    program& in_;
    step made_{};
};

std::vector<step> body_of(json const& list, program& in, int depth, double times_called) {
    require(list.is_array() && depth < deepest, "the calls are no list");
    std::vector<step> body;
    for (auto const& object : list) {
        if (!object.contains("passes")) {
            body.push_back(event_reader{object, in}.read());
            continue;
        }
        step loop;
        loop.passes = integer_from<std::uint64_t>(object["passes"], "passes", 1);
        auto const passes = times_called * static_cast<double>(loop.passes);
        require(passes <= static_cast<double>(most_passes), "loops have more passes than there is time for");
        loop.body = body_of(object.at("body"), in, depth + 1, passes);
        require(!loop.body.empty(), "a loop has no call");
        body.push_back(std::move(loop));
    }
    return body;
}

} // namespace

program program_of(nlohmann::json const& line) {
    program found;
    found.sites = read_texts(line.at("sites"));
    found.operations = read_texts(line.at("operations"));
    for (auto const& type : line.at("types"))
        found.types.push_back({read_text(type.at("name")), integer_within(type.at("size"), "size", 0, most_bytes),
                               integer_within(type.at("extent"), "extent", -most_bytes, most_bytes)});
    found.body = body_of(line.at("body"), found, 0, 1);
    return found;
}

} // namespace tools::replay
