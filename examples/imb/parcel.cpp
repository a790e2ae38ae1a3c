// SPDX-License-Identifier: BSL-1.0
#include "parcel.hpp"

#include <sonde/json/json_lines.hpp>

namespace imb {

namespace {

template <class T>
sonde::json json_of(std::optional<T> const& value) {
    return value ? sonde::json(*value) : sonde::json{};
}

template <class T>
std::optional<T> optional_in(sonde::json const& j) {
    if (j.is_null()) return std::nullopt;
    return j.get<T>();
}

} // namespace

std::string packed(finding const& f) {
    sonde::json const j = {{"repetitions", f.repetitions},
                           {"pure", f.found.pure},
                           {"overlap", json_of(f.found.overlap)},
                           {"work", json_of(f.found.work)},
                           {"defects", json_of(f.defects)}};
    return j.dump();
}

finding unpacked(std::string const& text) {
    auto const j = sonde::json::parse(text);
    return {j.at("repetitions").get<std::size_t>(),
            {j.at("pure").get<sonde::record>(), optional_in<sonde::record>(j.at("overlap")),
             optional_in<sonde::record>(j.at("work"))},
            optional_in<double>(j.at("defects"))};
}

} // namespace imb
