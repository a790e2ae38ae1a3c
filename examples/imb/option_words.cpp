// SPDX-License-Identifier: BSL-1.0
// The options whose values are words.
#include "option_values.hpp"

#include "../common/numbers.hpp"
#include "../common/refusal.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace imb {

namespace {

template <class Value>
struct meaning {
    std::string_view word;
    Value value;
};

template <class Value>
bool choose(Value& into, std::string const& text, std::initializer_list<meaning<Value>> all) {
    auto const found = std::find_if(all.begin(), all.end(), [&](auto const& m) { return m.word == text; });
    if (found != all.end()) into = found->value;
    return found != all.end();
}

/// Letters all small, or all capitals: as they are accepted of booleans.
bool is_mixed(std::string const& text) {
    auto const small = [](char c) { return c >= 'a' && c <= 'z'; };
    auto const capital = [](char c) { return c >= 'A' && c <= 'Z'; };
    return std::any_of(text.begin(), text.end(), small) && std::any_of(text.begin(), text.end(), capital);
}

} // namespace

bool set_flag(bool& into, std::string const& text) {
    if (is_mixed(text)) return false;
    return choose<bool>(into, common::lower(text),
                        {{"on", true},
                         {"yes", true},
                         {"true", true},
                         {"enable", true},
                         {"1", true},
                         {"off", false},
                         {"no", false},
                         {"false", false},
                         {"disable", false},
                         {"0", false}});
}

bool set_names(std::vector<std::string>& into, std::string const& text) { return add(into, common::split(text, ',')); }

bool add(std::vector<std::string>& into, std::vector<std::string> const& more) {
    into.insert(into.end(), more.begin(), more.end());
    return std::find(more.begin(), more.end(), "") == more.end();
}

std::vector<std::string> benchmark_names(std::vector<std::string> const& words) {
    std::vector<std::string> all;
    for (auto const& word : words)
        if (!set_names(all, word))
            throw common::refusal{"Invalid names of benchmarks: " + word + "; accepted: names with commas between"};
    return all;
}

bool set_level(options& into, std::string const& text) {
    return choose<threading>(into.level, text,
                             {{"single", threading::single},
                              {"funneled", threading::funneled},
                              {"serialized", threading::serialized},
                              {"multiple", threading::multiple}});
}

bool set_group_start(options& into, std::string const& text) {
    return choose<bool>(into.groups_together, text, {{"together", true}, {"apart", false}});
}

bool set_policy(options& into, std::string const& text) {
    return choose<policy>(into.counted, text,
                          {{"dynamic", policy::dynamic},
                           {"off", policy::off},
                           {"multiple_np", policy::multiple_np},
                           {"auto", policy::automatic}});
}

bool set_modes(options& into, std::string const& text) {
    return choose<modes>(
        into.aggregate, text,
        {{"aggregate", modes::aggregate}, {"non_aggregate", modes::non_aggregate}, {"multi", modes::both}});
}

bool set_data_type(options& into, std::string const& text) {
    return choose<element>(into.data, text,
                           {{"byte", element::byte},
                            {"char", element::character},
                            {"int", element::integer},
                            {"float", element::real},
                            {"double", element::double_real}});
}

bool set_reduced_type(options& into, std::string const& text) {
    return choose<element>(into.reduced, text,
                           {{"int", element::integer}, {"float", element::real}, {"double", element::double_real}});
}

bool set_layout(options& into, std::string const& text) {
    return choose<layout>(into.contiguous, text,
                          {{"base", layout::base},
                           {"base_vec", layout::base_vec},
                           {"resize", layout::resize},
                           {"resize_vec", layout::resize_vec}});
}

bool set_directory(options& into, std::string const& text) {
    into.directory = text;
    return !text.empty();
}

bool add_hint(options& into, std::string const& text) {
    auto const equals = text.find('=');
    if (equals == text.npos || equals == 0) return false;
    into.hints.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    return true;
}

bool add_report(options& into, std::string const& text) {
    auto const equals = text.find('=');
    if (equals == text.npos || equals + 1 == text.size()) return false;
    common::report_file const asked{text.substr(0, equals), text.substr(equals + 1)};
    auto const& all = into.reports;
    auto const twice = std::any_of(all.begin(), all.end(), [&](auto const& r) { return r.path == asked.path; });
    into.reports.push_back(asked);
    return !twice && common::is_report_form(asked.form);
}

} // namespace imb
