// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "agreement.hpp"

#include <pybind11/pybind11.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace binding {

/// The characters of a text in UTF-8; empty for a text with lone surrogates, and for another object.
std::optional<std::string> utf8_of(py::handle text);

/// The keyword arguments of a Python function. An argument of the wrong type or value is a TypeError or ValueError that
/// names the function, the argument, its value and what is accepted.
class arguments {
public:
    arguments(std::string function, py::dict values) : function_{std::move(function)}, values_{std::move(values)} {}

    /// The function's name, which begins messages: "sonde.run".
    std::string const& function() const { return function_; }
    py::object operator[](char const* key) const { return values_[key]; }
    bool is_none(char const* key) const { return values_[key].is_none(); }

    /// A whole number, at least `least`.
    std::size_t count(char const* key, std::size_t least = 0) const;
    /// The ranks of an iterable of whole numbers of at least 0, or MPI_PROC_NULL.
    std::vector<int> ranks(char const* key) const;
    /// A finite number; `accepted` describes it in messages.
    double number(char const* key, char const* accepted) const;
    /// A finite number above 0.
    double positive(char const* key) const;
    /// Index of a word in the list of accepted ones.
    std::size_t word(char const* key, std::span<std::string_view const> accepted) const;
    /// Indices of the words of an iterable; a single text is one word.
    std::vector<std::size_t> words(char const* key, std::span<std::string_view const> accepted) const;
    std::string text(char const* key) const;
    /// The characters of a text that is the argument `key`, or a part of it. Throws ValueError for lone surrogates.
    std::string text_of(char const* key, py::handle text) const;

    [[noreturn]] void refuse_type(char const* key, std::string const& accepted) const;
    [[noreturn]] void refuse_value(char const* key, std::string const& accepted) const;

private:
    std::string described(char const* key, std::string const& accepted) const;
    std::size_t index_of(char const* key, py::handle word, std::span<std::string_view const> accepted) const;

    std::string function_;
    py::dict values_;
};

} // namespace binding
