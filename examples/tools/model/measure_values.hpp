// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../common/numbers.hpp"

#include <boost/program_options/variables_map.hpp>

#include <cstddef>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace tools::model {

/// What options with a text were given, read as what they mean. Throws std::invalid_argument, in a line that names the
/// option, for what means nothing.
class option_values {
public:
    explicit option_values(boost::program_options::variables_map const& found) : found_{found} {}

    bool given(char const* name) const { return found_.count(name) != 0; }
    std::string text(char const* name, std::string const& otherwise = "") const {
        return given(name) ? found_[name].as<std::string>() : otherwise;
    }
    template <class N>
    std::optional<N> number(char const* name, N least, N most) const {
        if (!given(name)) return std::nullopt;
        if (auto const n = common::number<N>(text(name), least, most)) return n;
        std::ostringstream wanted;
        wanted << "a number from " << least << " to " << most;
        refuse(name, wanted.str());
    }
    /// Which of the words it is; 0 where the option was not given.
    std::size_t word(char const* name, std::vector<std::string> const& words) const {
        std::string all;
        for (std::size_t i = 0; i != words.size(); ++i) {
            if (text(name, words[0]) == words[i]) return i;
            all += (i == 0 ? "" : ", ") + words[i];
        }
        refuse(name, "one of " + all);
    }
    [[noreturn]] void refuse(char const* name, std::string const& wanted) const {
        throw std::invalid_argument{std::string{"--"} + name + " '" + text(name) + "': takes " + wanted};
    }

private:
    boost::program_options::variables_map const& found_;
};

} // namespace tools::model
