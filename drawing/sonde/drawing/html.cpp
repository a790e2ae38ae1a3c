// SPDX-License-Identifier: BSL-1.0
#include <sonde/drawing/html.hpp>

#include <sonde/drawing/html_page.hpp>

#include <utility>

namespace sonde::inline v0_1 {

html::html(std::string path, std::optional<environment> const& where, std::vector<column> columns)
    : page_{std::make_shared<detail::html_page>(std::move(path), where, std::move(columns))} {}

void html::operator()(record const& r) { page_->add(r); }
void html::operator()(comparison const& found, criterion required) { page_->add({found, required}); }
void html::operator()(std::vector<scope_record> const& found) { page_->add(found); }
void html::operator()(lateness_record const& found) { page_->add(found); }
void html::finish() { page_->finish(); }

} // namespace sonde
