// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/environment.hpp>
#include <sonde/record.hpp>
#include <sonde/report/at_end.hpp>
#include <sonde/report/column.hpp>
#include <sonde/report/html/columns.hpp>
#include <sonde/report/html/draft.hpp>
#include <sonde/report/html/file.hpp>
#include <sonde/report/html/page.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sonde {

namespace detail {

/// A page and its file: a draft until it is finished, or gone.
class html_book {
public:
    html_book(std::string path, std::optional<environment> where, std::vector<column> columns)
        : file_{std::move(path)}, page_{std::move(where), std::move(columns)} {
        file_.append(html_draft::begin(page_));
        end_.emplace([this] { file_.replace(page_.text()); });
    }

    void add(record const& r) { file_.append(draft_.next(page_.add(r))); }
    void finish() { (*end_)(); }

private:
    rewritten_file file_;
    html_page page_;
    html_draft draft_;
    std::optional<at_end> end_; // below what it writes; none until there is a draft
};

} // namespace detail

/// Records as a page for a browser: one file that needs no other and no network, to be mailed and printed.
///
/// For each name: latency and bandwidth over "bytes", drawn by gnuplot, and a table whose rows can be sorted; then the
/// environment, where one is given. Without gnuplot the page says so, and has all the rest. It stands when
/// `finish` is called, or else when the last copy of the reporter is gone. Until then the file is a draft without
/// figures that each record is put behind: a program that is broken off leaves what it measured. All records are kept
/// in memory until the end.
///
/// Throws std::system_error where the file cannot be written; without `finish` what fails at the end is said on stderr.
class html {
public:
    explicit html(std::string path, std::optional<environment> where = {}, std::vector<column> columns = html_columns())
        : book_{std::make_shared<detail::html_book>(std::move(path), std::move(where), std::move(columns))} {}

    void operator()(record const& r) { book_->add(r); }
    /// Writes the page, once, after the last record.
    void finish() { book_->finish(); }

private:
    std::shared_ptr<detail::html_book> book_;
};

} // namespace sonde
