// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/record.hpp>
#include <sonde/report/html/definition.hpp>
#include <sonde/report/html/escape.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sonde::detail {

/// The values that a parameter has in some records: each once, as they come.
class values_seen {
public:
    explicit values_seen(std::string name) : name_{std::move(name)} {}

    std::string const& name() const { return name_; }
    void add(parameter const& p) {
        for (auto const& seen : all_)
            if (seen.text == p.text) return;
        all_.push_back(p);
    }

    /// All of them where they are few; of many numbers the least and the largest.
    std::string text() const {
        constexpr std::size_t few = 6;
        auto const number_less = [](parameter const& a, parameter const& b) { return *a.number < *b.number; };
        auto const numbers =
            std::all_of(all_.begin(), all_.end(), [](parameter const& p) { return p.number.has_value(); });
        if (all_.size() > few && numbers) {
            auto const [least, most] = std::minmax_element(all_.begin(), all_.end(), number_less);
            return least->text + " to " + most->text + ", " + std::to_string(all_.size()) + " values";
        }
        std::string list;
        for (std::size_t i = 0; i != std::min(few, all_.size()); ++i) list += (i == 0 ? "" : ", ") + all_[i].text;
        return all_.size() > few ? list + ", and " + std::to_string(all_.size() - few) + " more" : list;
    }

private:
    std::string name_;
    std::vector<parameter> all_;
};

/// What was set, and to which values, of all records of a page.
class html_parameters {
public:
    void add(record const& r) {
        for (auto const& p : r.at.parameters) values(p.name).add(p);
        ranks_.add({"", r.ranks});
        initiators_.add({"", r.initiators});
    }

    std::string text() const {
        std::string definitions;
        for (auto const& p : parameters_)
            definitions += html_definition(html_escaped(p.name()), html_escaped(p.text()));
        for (auto const& p : {ranks_, initiators_}) definitions += html_definition(p.name(), p.text());
        return html_definitions("Parameters", definitions);
    }

private:
    values_seen& values(std::string const& name) {
        for (auto& p : parameters_)
            if (p.name() == name) return p;
        return parameters_.emplace_back(name);
    }

    std::vector<values_seen> parameters_;
    values_seen ranks_{"ranks"}, initiators_{"ranks that are timed"};
};

} // namespace sonde::detail
