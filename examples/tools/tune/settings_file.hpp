// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/tune/candidates.hpp"

#include <string>
#include <vector>

// A file of settings: how a job takes it, and whether the MPI library applies it.

namespace tools::tune {

enum class settings_form : unsigned char {
    parameters, // of Open MPI, NAME = VALUE
    shell,      // [export] NAME=VALUE, with names of environment variables
    rules       // dynamic rules of Open MPI
};

struct settings_file {
    std::string path;
    settings_form form;
    std::vector<setting> settings; // of rules, those that use them

    /// The words with which a job takes the file.
    environment_words environment() const;
};

/// Words with which a job takes Open MPI's parameters from a file. They are those of `mpirun --tune FILE`, for any
/// launcher: the parameters go before those of the user's and of the system's file. `mca_base_param_files=FILE` would
/// replace these two, which choose the transport on many systems.
environment_words words_for_parameters(std::string const& path);

/// Environment variables that are set now and that go before a parameter file with these settings.
std::vector<std::string> variables_before_file(std::vector<setting> const& settings);

/// Read a file of settings: of parameters, or of lines for a shell, whose names are OMPI_MCA_.. or in upper case; or a
/// file of dynamic rules, which begins with a number. `#` begins a comment. Throws std::runtime_error, with the path
/// and the line, for any other line, for lines of both forms, for a file without a setting, and for rules that Open MPI
/// ignores.
settings_file read_settings_file(std::string const& path);

/// Throws std::runtime_error, with the path and the line, if Open MPI (4.1, 5.0) ignores a file of dynamic rules, which
/// it does without a word: numbers are missing, negative, or out of range. Source: coll_tuned_dynamic_file.c of
/// Open MPI 4.1.4. Numbers behind the last rule, which it does not read, are an error, too: one of the counts is wrong.
void require_applied_rules(std::string const& path);

/// A line about each setting of a file that leaves the control variables of a job as they are without the file. Throws
/// std::runtime_error if no setting has an effect. Variables of other libraries than MPI are not judged.
std::vector<std::string> settings_without_effect(settings_file const& file, library_settings const& without,
                                                 library_settings const& with);

} // namespace tools::tune
