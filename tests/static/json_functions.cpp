// SPDX-License-Identifier: BSL-1.0

// Compiling is passing: <sonde/json.hpp> does not call conversions of nlohmann/json with a type of Sonde in the place of
// JSON's type. Such a call does not compile with nlohmann/json 3.11.3, nor, because of the functions below, with another
// version. They are never called.

#include <nlohmann/json.hpp>

#include <type_traits>

namespace nlohmann {

template <class Json>
struct text_of {
    using type = typename Json::string_t;
};
template <class Json>
using if_never = std::enable_if_t<std::is_void_v<typename text_of<Json>::type>>;

template <class Json, class T, class = if_never<Json>>
void to_json(Json&, T const&);
template <class Json, class T, class = if_never<Json>>
void from_json(Json const&, T&);

} // namespace nlohmann

#include <sonde/json.hpp>
