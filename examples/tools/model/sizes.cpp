// SPDX-License-Identifier: BSL-1.0
#include "sizes.hpp"

#include "../../common/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tools::model {

namespace {

constexpr std::size_t most_sizes = 10000;
constexpr std::size_t largest = std::size_t{1} << 40;

/// What was asked for, and how an error names it.
class request {
public:
    request(std::string const& text, std::size_t least) : text_{text}, least_{least} {}

    std::vector<std::size_t> range(std::size_t per_octave) const {
        auto const parts = parts_at(':');
        if (parts.size() > 3) refuse("takes A:B, A:B:STEP or a list A,B,..");
        if (parts[1] < parts[0]) refuse("the last size is below the first");
        return parts.size() == 3 ? stepped(parts[0], parts[1], parts[2]) : spaced(parts[0], parts[1], per_octave);
    }
    std::vector<std::size_t> list() const {
        auto all = parts_at(',');
        require_few(static_cast<double>(all.size()));
        return all;
    }

private:
    [[noreturn]] void refuse(std::string const& why) const {
        throw std::invalid_argument{"--sizes " + text_ + ": " + why};
    }
    void require_few(double count) const {
        if (count > most_sizes) refuse("more than " + std::to_string(most_sizes) + " sizes");
    }
    std::vector<std::size_t> parts_at(char separator) const {
        std::vector<std::size_t> all;
        for (auto const& part : common::split(text_, separator)) {
            all.push_back(size_in(part, "--sizes " + text_));
            if (all.back() < least_) refuse("'" + part + "' is below " + std::to_string(least_) + " byte");
        }
        return all;
    }
    std::vector<std::size_t> stepped(std::size_t first, std::size_t last, std::size_t step) const {
        if (step == 0) refuse("a step of 0");
        require_few(static_cast<double>(last - first) / static_cast<double>(step) + 1);
        std::vector<std::size_t> all;
        for (auto size = first; size <= last; size += step) all.push_back(size);
        return all;
    }
    std::vector<std::size_t> spaced(std::size_t first, std::size_t last, std::size_t per_octave) const {
        std::vector<std::size_t> all;
        if (first == 0) all.push_back(first++); // has no logarithm
        if (last < first) return all;
        auto const n = static_cast<double>(per_octave), from = static_cast<double>(first);
        auto const steps = n * std::log2(static_cast<double>(last) / from);
        require_few(steps + 1);
        for (double i = 0; i < steps; ++i)
            all.push_back(static_cast<std::size_t>(std::llround(from * std::exp2(i / n))));
        all.push_back(last); // as it was given
        return all;
    }

    std::string const& text_;
    std::size_t least_;
};

} // namespace

std::optional<std::size_t> size_unit(std::string unit) {
    unit = common::lower(unit);
    if (unit.empty() || unit == "b") return 1;
    auto const power = std::string{"kmg"}.find(unit[0]);
    if (power == std::string::npos || (unit.size() != 1 && unit.substr(1) != "ib")) return std::nullopt;
    return std::size_t{1} << (10 * (power + 1));
}

std::size_t size_in(std::string const& text, std::string const& option) {
    auto const digits = text.substr(0, text.find_first_not_of("0123456789"));
    auto const unit = size_unit(text.substr(digits.size()));
    auto const n = unit ? common::number<std::size_t>(digits, 0, largest / *unit) : std::nullopt;
    if (!n) throw std::invalid_argument{option + ": '" + text + "' is no size: whole bytes, or K, M, G, up to 1024G"};
    return *n * *unit;
}

std::vector<std::size_t> sizes_of(std::string const& text, std::size_t per_octave, std::size_t least) {
    request const asked{text, least};
    auto all = text.find(':') != std::string::npos ? asked.range(per_octave) : asked.list();
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

} // namespace tools::model
