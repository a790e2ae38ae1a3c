// SPDX-License-Identifier: BSL-1.0
#include <sonde/drawing/html_contents.hpp>

#include <sonde/drawing/html.hpp>

#include <cmath>
#include <stdexcept>
#include <utility>

namespace sonde::inline v0_1::detail {

bool failed(record const& r) { return r.errors.value_or(0) != 0; }

std::string time_text(seconds t) {
    constexpr std::string_view units[] = {"s", "ms", "us", "ns"};
    auto value = t.count();
    std::size_t unit = 0;
    for (; unit != 3 && std::fabs(value) < 1; ++unit) value *= 1000;
    auto decimals = 3;
    for (auto left = std::fabs(value); left >= 10 && decimals != 0; left /= 10) --decimals;
    return fixed(value, decimals) + ' ' + std::string{units[unit]};
}

std::string conclusion(std::vector<record const*> const& records) {
    auto timed = records;
    std::erase_if(timed, [](record const* r) { return !has_times(*r); });
    if (timed.empty()) return {};
    auto const in_all = [&](parameter const& p) {
        return timed.size() > 1 && std::all_of(timed.begin(), timed.end(), [&](record const* r) {
                   return std::any_of(r->point.parameters.begin(), r->point.parameters.end(),
                                      [&](parameter const& one) { return one.name == p.name && one.text == p.text; });
               });
    };
    auto const text = [&](record const& r) {
        auto shown = r.point.parameters;
        std::erase_if(shown, in_all);
        auto const values = joined(shown, ", ", [](parameter const& p) { return plain_text(p.name + ' ' + p.text); });
        return time_text(median(r)) + (values.empty() ? "" : " (" + values + ')');
    };
    auto const& name = timed.front()->point.name;
    auto const begin = name.empty() ? std::string{} : plain_text(name) + ": ";
    if (timed.size() == 1) return begin + "the median is " + text(*timed.front()) + '.';
    auto const [least, most] = std::minmax_element(
        timed.begin(), timed.end(), [](record const* a, record const* b) { return median(*a) < median(*b); });
    return begin + "medians from " + text(**least) + " to " + text(**most) + '.';
}

std::string conclusion(reported_comparison const& of) {
    auto const& [found, required] = of;
    std::vector<std::string> outcomes;
    for (std::size_t i = 1; i < found.records.size(); ++i) {
        auto const interval = interval_over_base(found, i, required);
        auto const ends =
            interval ? " (" + fixed(interval->low, 3) + " \u2013 " + fixed(interval->high, 3) + ')' : std::string{};
        outcomes.push_back(alternative_text(found, i) + " is " + outcome_text(found, i, required) + ", " +
                           cell_text(speedup_of_times(found, i), 3) + " times as fast" + ends);
    }
    auto const base = comparison_title(found) + " (" + time_text(median(found.records.front())) + ')';
    return base + (outcomes.empty() ? "." : ": " + joined(outcomes, "; ") + '.');
}

/// Errors are marked by a sign and not only by color, which is neither printed nor seen by all.
std::optional<std::string> html_errors(record const& r) {
    if (!r.errors) return std::nullopt;
    return failed(r) ? "\u2717 " + std::to_string(*r.errors) : "0";
}

std::optional<std::string> html_median_interval(record const& r) {
    auto const i = median_interval(r);
    return i ? std::optional{cell_text(i->low, 3) + " \u2013 " + cell_text(i->high, 3)} : std::nullopt;
}

std::string html_stop_reason(record const& r) {
    constexpr char const* words[] = {
        "-", "samples", "time", "precision", "noise floor", "own rule", "precision unreachable"};
    return words[static_cast<unsigned char>(r.stop.reason)];
}

std::string html_flags(record const& r) { return flags_text(r.flags, &flag_member::remark, "; "); }

std::optional<seconds> one_way(record const& r) { return r.total.hops == 1 ? std::nullopt : std::optional{latency(r)}; }

html_heads heads_of(std::vector<html_row> const& rows) {
    struct found_column : column_head {
        bool shown = false;
        std::vector<std::string> texts{};
    };
    using enum column_head::source;
    std::vector<found_column> all;
    for (auto const& row : rows)
        for (auto const& cell : row.cells) {
            auto* known = find_column(all, cell);
            if (known == nullptr) known = &all.emplace_back(found_column{cell});
            known->left |= cell.left;
            known->shown |= cell.shown;
            known->texts.push_back(cell.text);
        }
    html_heads heads;
    for (auto const from : {parameter, metric})
        for (auto const& c : all) {
            if (c.from != from || !c.shown) continue;
            auto const same = c.texts == std::vector(rows.size(), c.texts.front());
            (from == parameter && rows.size() > 1 && same ? heads.common : heads.columns).push_back(c);
        }
    return heads;
}

std::vector<html_row> rows_of(reported_comparison const& of, std::vector<column> const& columns) {
    using enum column_head::source;
    auto const& [found, required] = of;
    std::vector<html_row> rows;
    for (std::size_t i = 0; i != found.records.size(); ++i) {
        auto const interval = interval_over_base(found, i, required);
        auto const ends = interval ? fixed(interval->low, 3) + " \u2013 " + fixed(interval->high, 3) : "-";
        std::vector<table_cell> cells{{parameter, "alternative", true, alternative_name(found, i)},
                                      {metric, "speed-up", false, cell_text(speedup_of_times(found, i), 3)},
                                      {metric, interval_title(required), false, ends},
                                      {metric, "outcome", true, i == 0 ? "base" : outcome_text(found, i, required)}};
        if (found.application) cells.push_back({metric, gain_title, false, gain_text(found, i, required)});
        for (auto& cell : cells_of(found.records[i], columns)) {
            auto const is_shared = cell.title == "samples" || cell.title == "batch" || cell.title == "stopped by";
            if (is_shared) cell.from = parameter; // equal for all alternatives, and so in the caption
            cells.push_back(std::move(cell));
        }
        rows.push_back({comparison_title(found), std::move(cells), failed(found.records[i])});
    }
    return rows;
}

std::string comparison_title(comparison const& found) { return "Comparison with " + alternative_text(found, 0); }

std::string comparison_note(reported_comparison const& of) {
    auto const& [found, required] = of;
    auto const least = required.gain > 0 ? fixed(1 + required.gain, 3) : "1";
    return "Speed-up: the base\u2019s time over the alternative\u2019s, median over " +
           std::to_string(found.records.front().series.size()) +
           " rounds. An alternative is faster if its whole interval is above " + least + ", and slower if all of it " +
           (required.gain > 0 ? "times " + least + ' ' : "") +
           "is below 1; otherwise it is undecided. All intervals hold together with a confidence of " +
           percent_text(required.confidence) + "." +
           (found.application ? " Won of the loop: " + html_escaped(gain_note(*found.application)) + '.' : "");
}

std::string html_class(column_head const& head) { return head.left ? "" : " class=\"number\""; }

std::string html_table_row(html_row const& row, std::vector<column_head> const& heads) {
    std::string text = row.failed ? "<tr class=\"failed\">" : "<tr>";
    for (auto const& head : heads) {
        auto const* const cell = find_column(row.cells, head);
        auto const none = cell == nullptr || cell->text == "-";
        text += "<td" + html_class(head) + '>' + (none ? "\u2013" : html_escaped(cell->text)) + "</td>";
    }
    return text + "</tr>\n";
}

std::string html_table_begin(html_row const& row, html_heads const& heads) {
    auto const common = joined(heads.common, ", ", [&](column_head const& head) {
        return html_escaped(head.title + ' ' + find_column(row.cells, head)->text);
    });
    std::string titles;
    for (auto const& head : heads.columns)
        titles += "<th scope=\"col\"" + html_class(head) + '>' + html_escaped(head.title) + "</th>";
    return "<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"Table: " + html_escaped(row.name) +
           "\">\n<table class=\"results\">\n<caption>Times of one iteration, slowest rank" +
           (common.empty() ? "" : "; in all rows " + common) + "</caption>\n<thead><tr>" + titles +
           "</tr></thead>\n<tbody>\n";
}

} // namespace sonde::detail

namespace sonde::inline v0_1 {

std::vector<column> html_columns() {
    return {
        {"median (us)", [](record const& r) { return median(r); }, 3},
        column{"95 % interval (us)", detail::html_median_interval}.hidden_if_empty(),
        column{"median one way (us)", detail::one_way, 3}.hidden_if_empty(),
        {"mean (us)", mean, 3},
        column{"P99 (us)", [](record const& r) { return percentile(r, 0.99); }, 3}.hidden_if_empty(),
        column{"bandwidth (MB/s)", detail::megabytes_per_second}.hidden_if_empty(),
        {"samples", [](record const& r) { return r.stop.samples; }},
        column{"batch", detail::batch_if_several}.hidden_if_empty(),
        column{"errors", detail::html_errors}.hidden_if_empty(),
        {"stopped by", detail::html_stop_reason},
        column{"remarks", detail::html_flags}.hidden_if_empty(),
    };
}

} // namespace sonde

namespace sonde::inline v0_1::detail {

canvas svg_canvas(std::size_t height) {
    return {"svg background 'white' noenhanced font 'sans,14' size 640," + std::to_string(height)};
}

/// Draw a figure as SVG, small enough for its text to be readable on a phone. A legend of more than three lines makes
/// the picture higher, not the axes shorter.
std::string draw_svg(figure const& f) {
    constexpr std::size_t legend_width = 45, legend_rows = 3;
    std::size_t longest = 0;
    for (auto const& c : f.curves) longest = std::max(longest, character_count(c.name));
    auto const columns = std::max<std::size_t>(1, 500 / (70 + 8 * std::min(longest, legend_width)));
    auto const rows = (f.curves.size() + columns - 1) / columns * legend_lines(f, legend_width);
    auto const height = 420 + 22 * (std::max(legend_rows, rows) - legend_rows);
    return picture(svg_canvas(height), figure_page(f, legend_width));
}

std::string prefixed(std::string_view svg, std::string_view prefix) {
    std::string text;
    for (bool in_tag = false; !svg.empty();) {
        in_tag = svg.front() == '<' || (in_tag && svg.front() != '>');
        std::size_t length = 1;
        for (std::string_view const mark : {" id='", " id=\"", "href='#", "href=\"#", "url(#"})
            if (in_tag && svg.starts_with(mark)) length = mark.size();
        text.append(svg.substr(0, length)).append(length == 1 ? "" : prefix);
        svg.remove_prefix(length);
    }
    return text;
}

std::string svg_element(std::string_view svg, std::string const& prefix, std::string const& alternative) {
    auto const box = svg.find("viewBox=\""), begin = svg.find("<g "), end = svg.rfind("</svg>");
    if (box > begin || begin > end || end == svg.npos) throw std::runtime_error{"gnuplot drew no SVG"};
    auto const view_box = std::string{svg.substr(box, svg.find('"', box + 9) + 1 - box)};
    return "<svg role=\"img\" aria-label=\"" + html_escaped(alternative) + "\" " + view_box + ">\n" +
           prefixed(as_utf8(svg.substr(begin, end - begin)), prefix) + "</svg>\n";
}

/// True if a curve has two points or more: a single point is no figure.
bool worth_drawing(figure const& f) {
    return std::any_of(f.curves.begin(), f.curves.end(), [](curve const& c) {
        std::size_t points = 0;
        for (std::size_t i = 0; i != c.y.size(); ++i) points += c.x[i] > 0 && c.y[i].value_or(0) > 0;
        return points > 1;
    });
}

std::string description(figure const& f) {
    auto text = "Figure: " + f.y_axis.label + " over " + f.x_axis.label + ", " + f.title;
    for (auto const& c : f.curves)
        if (!c.name.empty()) text += "; " + c.name;
    return text + ". The table below has the values.";
}

/// The frame around pictures; nothing without a picture.
std::string in_figures(std::string const& pictures) {
    return pictures.empty() ? pictures : "<div class=\"figures\">\n" + pictures + "</div>\n";
}

std::string figure_writer::figures(std::vector<record> const& records) {
    std::string all;
    for (auto const& part : split_into_figures(records))
        all += element(latency_figure(part)) + element(bandwidth_figure(part));
    return in_figures(all);
}

std::string figure_writer::figures(rank_figures const& of) {
    auto const all = element("Distribution of the times of each rank", "Violins, one for each rank. " + of.summary,
                             [&] { return picture(svg_canvas(420), of.violins); }) +
                     element("Time of each rank in each sample",
                             "A row for each rank, a column for each sample, times as colors. " + of.summary,
                             [&] { return picture(svg_canvas(420), of.strip); });
    return in_figures(all);
}

std::string figure_writer::figures(reported_comparison const& of) {
    auto const& [found, required] = of;
    if (found.records.size() < 2) return {};
    auto const all =
        element("Speed-up with its " + interval_title(required),
                "Speed-up of each alternative as a point with its interval. The table below has the values.",
                [&found = found, required = required] {
                    return picture(svg_canvas(speedup_page_height(found)), speedup_page("", found, required));
                });
    return in_figures(all);
}

std::string figure_writer::figures(lateness_record const& of) {
    if (!(seconds{} < of.observed)) return {};
    return in_figures(element("Waiting of each rank, and waiting that it caused",
                              "Two bars for each rank. The table below has the values of the first ranks.",
                              [&] { return picture(svg_canvas(360), lateness_page("", of)); }));
}

std::string figure_writer::element(figure f) {
    if (!worth_drawing(f)) return {};
    auto const alternative = description(f), title = std::exchange(f.title, {});
    return element(title, alternative, [&] { return draw_svg(f); });
}

} // namespace sonde::detail
