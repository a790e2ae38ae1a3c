// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/tune/control_variables.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tools::tune {

/// Control variable and the value that a launch gives it.
struct setting {
    std::string variable;
    std::string value;

    bool operator==(setting const&) const = default;
};

/// Settings that may make a job faster: a value of one variable, and of those without which it has no effect.
struct candidate {
    std::vector<setting> settings; // the first one is the variable that is tuned
    std::string collective{};      // "allreduce", whose algorithm it is; empty for an eager limit or a transport
    int algorithm = 0;             // number of the algorithm
    std::size_t segment = 0;       // bytes; 0 for the library's own

    /// "coll_tuned_allreduce_algorithm=ring"
    std::string text() const;
};

/// Settings that are tuned.
enum class tuned_part : unsigned char { algorithms, eager_limits, all };

struct candidate_selection {
    tuned_part part = tuned_part::all;
    std::set<std::string> collectives{};     // in lower case, without "MPI_"; of all collectives if empty
    std::optional<double> largest_message{}; // bytes, if it is known: longer segments are left out
};

/// Words of an enumeration. MPICH's variables have none in MPI_T, but their descriptions list them: "... algorithmauto
/// - Internal algorithm selectionring - Force ring algorithm". The library has lost the ends of lines, and with
/// them blanks between words: a text is split where both parts are made of words of `vocabulary`.
std::vector<std::string> words_in_description(std::string const& description, std::set<std::string> const& vocabulary);

/// "0" to "22" of a preset of Intel MPI, whose description says "range: 0-22"; the words of its transports, which it
/// lists as "> shm - Shared memory transport". Empty for other variables.
std::vector<std::string> values_of_intel_mpi(control_variable const& variable);

/// Words of all descriptions, in lower case, each between other characters than letters, and parts of names.
std::set<std::string> vocabulary_of(std::vector<control_variable> const& all);

/// "allreduce" of "coll_tuned_allreduce_algorithm", of "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM" and of
/// "I_MPI_ADJUST_ALLREDUCE"; empty for others.
std::string collective_of(std::string const& variable);

/// Candidates of the library's list: for each collective every algorithm but the present one, those that pipeline also
/// with segments; for each eager limit of the present device a quarter, four times and sixteen times the present value;
/// of Intel MPI also each other transport.
std::vector<candidate> candidates_of(library_settings const& all, candidate_selection const& selection);

/// Name of the environment variable by which a launch sets a control variable: "OMPI_MCA_btl_vader_eager_limit".
std::string environment_name(std::string const& variable);

/// Words of `env` before a command: "NAME=VALUE", or "-u" and "NAME".
using environment_words = std::vector<std::string>;

/// "NAME=VALUE" of each setting.
environment_words environment_of(std::vector<setting> const& settings);

} // namespace tools::tune
