// SPDX-License-Identifier: BSL-1.0
#include "beyond.hpp"

#include "quantity.hpp"

#include <algorithm>

namespace tools::model {

namespace {

using lines = std::vector<std::string>;

/// "3 times above 4.000 MiB: why"; nothing where there are none.
void add_times(std::size_t count, std::string const& where, std::string const& why, lines& to) {
    if (count != 0) to.push_back(std::to_string(count) + (count == 1 ? " time" : " times") + ' ' + where + ": " + why);
}

template <class Is>
std::size_t count(std::vector<occasion> const& at, Is is) {
    return static_cast<std::size_t>(std::count_if(at.begin(), at.end(), is));
}

constexpr char const* unfounded = "beyond what was fitted; a protocol that changes there would change them";

void add_breaks(fit_result const& f, std::vector<occasion> const& at, lines& to) {
    for (auto const& p : f.fit.parameters) {
        if (p.name != "breakpoint" || p.status == sonde::model::parameter_status::undetermined) continue;
        double last = 0; // of the sizes measured below it
        for (auto const& o : f.data)
            if (o.at.bytes < p.value) last = std::max(last, o.at.bytes);
        auto const between = count(at, [&](occasion const& o) { return o.bytes > last && o.bytes < p.value; });
        add_times(between, "between " + quantity(last, "B") + " and " + quantity(p.value, "B"),
                  "the protocol changes somewhere between these sizes", to);
    }
}

} // namespace

lines beyond(fit_result const& f, std::vector<occasion> const& at) {
    lines all;
    auto const from = f.fit.from.count(), to = f.fit.to.count();
    add_times(count(at, [&](auto const& o) { return o.bytes < from; }), "below " + quantity(from, "B"), unfounded, all);
    add_times(count(at, [&](auto const& o) { return o.bytes > to; }), "above " + quantity(to, "B"), unfounded, all);
    double most = 0;
    for (auto const& o : f.data) most = std::max(most, o.at.pairs);
    add_times(f.which == kind::max_rate ? count(at, [&](auto const& o) { return o.pairs > most; }) : 0,
              "of more than " + quantity(most, "") + " pairs", "more than were measured", all);
    add_breaks(f, at, all);
    return all;
}

} // namespace tools::model
