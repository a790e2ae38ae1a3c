// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/records/lines.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tools {

/// The text before the title of a table, or before a record, within a line; empty if there is none.
std::string_view unknown_label(std::string_view line);

/// Split a text by its labels, in the order of their first lines. Labels are removed if most lines have one of the same
/// kind, also after another one; lines without a label are a stream of their own then. Forms of labels that are also in
/// the messages of programs are labels only if the line of a table's title follows one. The views refer to `text`.
std::vector<text_stream> streams_of(std::string_view text);

/// The forms of labels that are known, in the order in which they are tried.
std::vector<label_form> label_forms();

/// A line without the labels of launchers, as far as it has any.
std::string_view without_labels(std::string_view line);

} // namespace tools
