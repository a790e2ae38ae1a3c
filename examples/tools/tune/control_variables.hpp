// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tools::tune {

/// Value of a control variable that is an enumeration.
struct enumerator {
    std::string word;
    int number = 0;

    bool operator==(enumerator const&) const = default;
};

/// Control variable of an MPI library, as MPI_T describes it.
struct control_variable {
    std::string name;
    std::string value; // a number, a text, or a word of the enumeration
    std::vector<enumerator> words{};
    std::string description{};
};

/// Libraries whose settings are known.
enum class mpi_library : unsigned char { open_mpi, mpich, intel_mpi, other };

/// Control variables of an MPI library, in a job.
struct library_settings {
    std::string version; // first line of MPI_Get_library_version
    std::string device;  // of MPICH, "ch4:ucx"; otherwise empty
    std::size_t ranks = 0;
    std::size_t hosts = 1;
    std::vector<control_variable> variables{};

    mpi_library library() const;
    /// Null if there is no variable of this name.
    control_variable const* find(std::string_view name) const;
};

/// Names of the variables that are tuned, or that tuning needs; `*` stands for any characters. Those of MPICH have the
/// words of each other's descriptions (`words_in_description`).
inline constexpr char const* tuned_variables[] = {"coll_tuned_*", "coll_libnbc_*_algorithm", "btl_*_eager_limit",
                                                  "MPIR_CVAR_*", "I_MPI_*"};

/// A JSON object in one line: {"type": "settings", "version", "device", "ranks", "hosts", "variables": [{"name",
/// "value", "words": [["ring", 4], ..], "description"}, ..]}.
std::string json_of(library_settings const& settings);

/// Read a file with the line that `json_of` makes. Throws std::runtime_error, with the path, for any other file.
library_settings read_settings(std::string const& path);

} // namespace tools::tune
