// SPDX-License-Identifier: BSL-1.0
#include "arguments.hpp"

#include <mpi.h>

#include <cmath>
#include <limits>

namespace binding {

std::optional<std::string> utf8_of(py::handle text) {
    Py_ssize_t length = 0;
    auto const* const characters = PyUnicode_AsUTF8AndSize(text.ptr(), &length);
    if (characters == nullptr) {
        PyErr_Clear();
        return std::nullopt;
    }
    return std::string{characters, static_cast<std::size_t>(length)};
}

std::string arguments::described(char const* key, std::string const& accepted) const {
    auto const value = py::repr(values_[key]).cast<std::string>();
    return function_ + ": " + key + " is " + value + "; it must be " + accepted;
}

void arguments::refuse_type(char const* key, std::string const& accepted) const {
    throw py::type_error{described(key, accepted)};
}

void arguments::refuse_value(char const* key, std::string const& accepted) const {
    throw py::value_error{described(key, accepted)};
}

std::size_t arguments::count(char const* key, std::size_t least) const {
    auto const accepted = "a whole number of at least " + std::to_string(least);
    py::object const value = values_[key];
    if (!PyIndex_Check(value.ptr())) refuse_type(key, accepted);
    auto const number = PyNumber_AsSsize_t(value.ptr(), PyExc_OverflowError);
    if (number == -1 && PyErr_Occurred() != nullptr) {
        if (PyErr_ExceptionMatches(PyExc_OverflowError) == 0) throw py::error_already_set{};
        PyErr_Clear();
        refuse_value(key, "a whole number of at most " + std::to_string(PY_SSIZE_T_MAX));
    }
    if (number < 0 || static_cast<std::size_t>(number) < least) refuse_value(key, accepted);
    return static_cast<std::size_t>(number);
}

std::vector<int> arguments::ranks(char const* key) const {
    constexpr auto accepted = "ranks, whole numbers of at least 0, or MPI.PROC_NULL";
    py::object const value = values_[key];
    if (!py::isinstance<py::iterable>(value)) refuse_type(key, accepted);
    std::vector<int> found;
    for (auto const rank : value) {
        if (!PyIndex_Check(rank.ptr())) refuse_type(key, accepted);
        auto const number = PyNumber_AsSsize_t(rank.ptr(), nullptr); // the nearest one for a larger number
        auto const is_rank = 0 <= number && number <= std::numeric_limits<int>::max();
        if (!is_rank && number != MPI_PROC_NULL) refuse_value(key, accepted);
        found.push_back(static_cast<int>(number));
    }
    return found;
}

double arguments::number(char const* key, char const* accepted) const {
    py::object const value = values_[key];
    auto const is_number = PyNumber_Check(value.ptr()) != 0;
    auto const number = is_number ? PyFloat_AsDouble(value.ptr()) : 0;
    if (!is_number || PyErr_Occurred() != nullptr) {
        PyErr_Clear();
        refuse_type(key, accepted);
    }
    if (!std::isfinite(number)) refuse_value(key, accepted);
    return number;
}

double arguments::positive(char const* key) const {
    constexpr auto accepted = "a number above 0";
    auto const found = number(key, accepted);
    if (!(found > 0)) refuse_value(key, accepted);
    return found;
}

std::size_t arguments::index_of(char const* key, py::handle word, std::span<std::string_view const> accepted) const {
    std::string list;
    for (std::size_t i = 0; i != accepted.size(); ++i) {
        if (i != 0) list += i + 1 == accepted.size() ? " or " : ", ";
        list.append(1, '"').append(accepted[i]).append(1, '"');
    }
    if (!py::isinstance<py::str>(word)) refuse_type(key, list);
    auto const text = text_of(key, word);
    for (std::size_t i = 0; i != accepted.size(); ++i)
        if (accepted[i] == text) return i;
    refuse_value(key, list);
}

std::size_t arguments::word(char const* key, std::span<std::string_view const> accepted) const {
    return index_of(key, values_[key], accepted);
}

std::vector<std::size_t> arguments::words(char const* key, std::span<std::string_view const> accepted) const {
    py::object const value = values_[key];
    if (py::isinstance<py::str>(value)) return {index_of(key, value, accepted)};
    if (!py::isinstance<py::iterable>(value)) return {index_of(key, value, accepted)}; // refuses its type
    std::vector<std::size_t> found;
    for (auto const word : value) found.push_back(index_of(key, word, accepted));
    return found;
}

std::string arguments::text(char const* key) const {
    py::object const value = values_[key];
    if (!py::isinstance<py::str>(value)) refuse_type(key, "a text");
    return text_of(key, value);
}

std::string arguments::text_of(char const* key, py::handle text) const {
    auto const characters = utf8_of(text);
    if (!characters) refuse_value(key, "without lone surrogates");
    return *characters;
}

} // namespace binding
