// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>
#include <sonde/record.hpp>

#include <mpi.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sonde::mpi {

/// The allow-list of control variables that an environment records: eager limits and algorithms, by the names that Open
/// MPI and MPICH give them.
inline std::vector<std::string> const recorded_control_variables{"*_eager_limit", "*_eager_size",     "*_EAGER_*SIZE",
                                                                 "*_EAGER_MAX_*", "coll_*_algorithm", "*_ALGORITHM"};

namespace detail {

/// True if `name` matches a pattern, in which `*` stands for any characters, also none.
inline bool matches(std::string_view pattern, std::string_view name) {
    if (pattern.empty()) return name.empty();
    if (pattern.front() == '*')
        return matches(pattern.substr(1), name) || (!name.empty() && matches(pattern, name.substr(1)));
    return !name.empty() && pattern.front() == name.front() && matches(pattern.substr(1), name.substr(1));
}

#ifdef MPI_T_CVAR_HANDLE_NULL

/// Number of control variables; 0 without them. The tool information interface is started once and not finalized:
/// MPICH 4.0 does not survive a second start.
inline int number_of_control_variables() {
    static bool const available = [] {
        int provided = 0;
        return MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS;
    }();
    int n = 0;
    return available && MPI_T_cvar_get_num(&n) == MPI_SUCCESS ? n : 0;
}

/// Properties of a control variable.
struct control_variable_info {
    char name[256] = "";
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_T_enum words = MPI_T_ENUM_NULL;
    int bind = 0;

    /// False if the library does not describe variable i.
    bool read(int i) {
        int length = sizeof name, verbosity = 0, scope = 0, no_description = 0;
        return MPI_T_cvar_get_info(i, name, &length, &verbosity, &type, &words, nullptr, &no_description, &bind,
                                   &scope) == MPI_SUCCESS;
    }
};

/// The value as text; the word of an enumeration; empty for a type without text.
inline std::string control_value(MPI_T_cvar_handle handle, int count, control_variable_info const& about) {
    auto const read = [&]<class T>(T) -> std::string {
        std::vector<T> values(static_cast<std::size_t>(count) + 1);
        return MPI_T_cvar_read(handle, values.data()) == MPI_SUCCESS ? std::to_string(values.front()) : "";
    };
    if (about.type == MPI_CHAR) {
        std::string text(static_cast<std::size_t>(count) + 1, '\0');
        return MPI_T_cvar_read(handle, text.data()) == MPI_SUCCESS ? text.c_str() : "";
    }
    if (about.type == MPI_INT && about.words != MPI_T_ENUM_NULL) {
        int value = 0, known = 0, length = 0;
        char kind[64] = "", word[256] = "";
        if (MPI_T_cvar_read(handle, &value) != MPI_SUCCESS) return "";
        length = sizeof kind;
        if (MPI_T_enum_get_info(about.words, &known, kind, &length) != MPI_SUCCESS) return std::to_string(value);
        for (int i = 0; i != known; ++i) {
            int of_item = 0;
            length = sizeof word;
            if (MPI_T_enum_get_item(about.words, i, &of_item, word, &length) == MPI_SUCCESS && of_item == value)
                return word;
        }
        return std::to_string(value);
    }
    if (about.type == MPI_INT) return read(int{});
    if (about.type == MPI_UNSIGNED) return read(unsigned{});
    if (about.type == MPI_UNSIGNED_LONG) return read(0ul);
    if (about.type == MPI_UNSIGNED_LONG_LONG) return read(0ull);
    if (about.type == MPI_COUNT) return read(MPI_Count{});
    return about.type == MPI_DOUBLE ? read(double{}) : "";
}

#endif

} // namespace detail

/// Names and values of the MPI library's control variables (MPI 4.0, 15.3) whose names match one of the patterns, in
/// which `*` stands for any characters; in the library's order. Variables of an object, such as a communicator, are not
/// among them. Empty for a library without MPI_T. Not collective.
[[nodiscard]] inline std::vector<parameter>
control_variables([[maybe_unused]] std::vector<std::string> const& patterns) {
    std::vector<parameter> found;
#ifdef MPI_T_CVAR_HANDLE_NULL
    for (int i = 0, all = detail::number_of_control_variables(); i != all; ++i) {
        detail::control_variable_info about;
        if (!about.read(i) || about.bind != MPI_T_BIND_NO_OBJECT) continue;
        bool wanted = false;
        for (auto const& pattern : patterns) wanted = wanted || detail::matches(pattern, about.name);
        MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
        int count = 0;
        if (!wanted || MPI_T_cvar_handle_alloc(i, nullptr, &handle, &count) != MPI_SUCCESS) continue;
        auto value = detail::control_value(handle, count, about);
        MPI_T_cvar_handle_free(&handle);
        for (auto& c : value)
            if (c == '\n') c = ' ';
        if (!value.empty()) found.emplace_back(about.name, value);
    }
#endif
    return found;
}

} // namespace sonde::mpi
