// SPDX-License-Identifier: BSL-1.0
#include "tools/map/map_output.hpp"

#include "tools/map/map_findings.hpp"
#include "tools/map/sonde_map.hpp"

#include <sonde/drawing/figure.hpp>
#include <sonde/drawing/gnuplot.hpp>
#include <sonde/json.hpp>
#include <sonde/report/csv.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <stdexcept>

namespace tools::map {

namespace {

using nlohmann::json;

std::string metric_name(map_metric m) { return m == map_metric::latency ? "latency" : "bandwidth"; }

void write_line(sonde::output_file& out, json const& j) { out.line(sonde::detail::json_line(j)); }

sonde::output_file new_file(std::string const& path) {
    if (std::filesystem::is_regular_file(path) && std::filesystem::file_size(path) != 0)
        throw std::runtime_error{"'" + path + "' exists: remove it, or name another"};
    return sonde::output_file{path};
}

} // namespace

pair_lines::pair_lines(std::string const& path, sonde::environment const& environment) : out_{new_file(path)} {
    sonde::json_lines{out_, environment};
}

void pair_lines::add(measured_map const& m, std::vector<std::string> const& places) {
    auto const& t = m.times;
    written_.resize(t.median.times.size());
    for (std::size_t i = 0; i != written_.size(); ++i) {
        if (written_[i] || !(t.median.times[i] > sonde::seconds{0})) continue;
        written_[i] = true;
        json pair{{"type", "pair"},
                  {"metric", metric_name(m.task.metric)},
                  {"bytes", m.task.bytes},
                  {"from", places[i / places.size()]},
                  {"to", places[i % places.size()]},
                  {"value", value_of(m, t.median.times[i])},
                  {"median_seconds", t.median.times[i].count()}};
        if (m.task.metric == map_metric::bandwidth) pair["window"] = m.window;
        if (t.low.times[i] > sonde::seconds{0})
            pair["interval_seconds"] = {t.low.times[i].count(), t.high.times[i].count()};
        write_line(out_, pair);
    }
}

void pair_lines::finish(map_result const& result, std::vector<map_findings> const& findings) {
    constexpr char const* kinds[] = {"place", "groups", "pair"};
    constexpr char const* directions[] = {"both", "from", "to"};
    std::size_t count = 0;
    for (std::size_t i = 0; i != findings.size(); ++i) {
        auto const& task = result.maps[i].task;
        auto const line = [&](json suspect) {
            suspect["type"] = "suspect";
            suspect["metric"] = metric_name(task.metric);
            suspect["bytes"] = task.bytes;
            write_line(out_, suspect);
            ++count;
        };
        for (auto const& s : findings[i].suspects) {
            json found{{"kind", kinds[static_cast<std::size_t>(s.kind)]},
                       {"direction", directions[static_cast<std::size_t>(s.direction)]},
                       {"factor", s.factor},
                       {"text", text_of(s, result, findings[i])}};
            auto const of_groups = s.kind == sonde::suspect_kind::groups;
            for (auto const& [name, place] : {std::pair{"place", s.rank}, std::pair{"peer", s.peer}})
                if (place >= 0)
                    found[name] = of_groups ? json(place) : json(result.places[static_cast<std::size_t>(place)]);
            line(std::move(found));
        }
        for (auto const& [from, to] : findings[i].unexpected)
            line({{"kind", "unexpected"},
                  {"place", result.places[static_cast<std::size_t>(from)]},
                  {"peer", result.places[static_cast<std::size_t>(to)]},
                  {"direction", "from"}});
    }
    if (result.bits)
        write_line(out_, {{"type", "bits"},
                          {"messages", result.bits->found.checked},
                          {"wrong", result.bits->found.wrong},
                          {"text", result.bits->sentence},
                          {"words", result.bits->words}});
    if (result.transport)
        write_line(out_, {{"type", "devices"},
                          {"text", result.transport->text},
                          {"statements", result.transport->statements},
                          {"unexpected", !device_is_right(result)}});
    auto const nothing = count == 0 && bits_are_right(result) && device_is_right(result);
    json result_line{{"type", "verdict"}, {"suspects", count}, {"status", nothing ? 0 : 1}};
    if (auto const stolen = sonde::stolen_since(result.environment.stolen_before))
        result_line["stolen_seconds"] = stolen->count();
    write_line(out_, result_line);
}

void write_csv(std::string const& path, map_result const& result) {
    sonde::output_file out{path};
    auto const n = result.places.size();
    for (std::size_t i = 0; i != result.maps.size(); ++i) {
        auto const& m = result.maps[i];
        auto line =
            sonde::detail::csv_field(title_of(m) + (m.task.metric == map_metric::latency ? " (us)" : " (MB/s)"));
        for (auto const& place : result.places) line += ',' + sonde::detail::csv_field(place);
        out.line((i == 0 ? "" : "\n") + line);
        for (std::size_t from = 0; from != n; ++from) {
            line = sonde::detail::csv_field(result.places[from]);
            for (std::size_t to = 0; to != n; ++to) {
                auto const t = m.times.median.times[from * n + to];
                line += ',' + (t > sonde::seconds{0} ? sonde::detail::shortest(value_of(m, t)) : "");
            }
            out.line(line);
        }
    }
}

heatmap heatmap_of(measured_map const& m, std::vector<int> const& order, std::size_t most) {
    auto const n = order.size(), per_cell = (n + most - 1) / most;
    heatmap h{(n + per_cell - 1) / per_cell, per_cell, {}};
    h.values.resize(h.size * h.size);
    auto const worse = [&](double a, double b) { return m.task.metric == map_metric::latency ? a > b : a < b; };
    for (std::size_t from = 0; from != n; ++from)
        for (std::size_t to = 0; to != n; ++to) {
            auto const t = m.times.median.at(order[from], order[to]);
            if (!(t > sonde::seconds{0})) continue;
            auto& cell = h.values[from / per_cell * h.size + to / per_cell];
            if (auto const value = value_of(m, t); !cell || worse(value, *cell)) cell = value;
        }
    return h;
}

std::vector<int> grouped_order(measured_map const& m, std::vector<int> const& groups) {
    std::vector<double> medians;
    for (int a = 0; a < m.times.median.ranks; ++a) {
        std::vector<double> times;
        for (int b = 0; b < m.times.median.ranks; ++b)
            for (auto const t : {m.times.median.at(a, b), m.times.median.at(b, a)})
                if (t > sonde::seconds{0}) times.push_back(t.count());
        medians.push_back(times.empty() ? 0 : sonde::detail::middle_of(std::move(times)));
    }
    std::vector<int> order(groups.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        auto const x = static_cast<std::size_t>(a), y = static_cast<std::size_t>(b);
        return groups[x] != groups[y] ? groups[x] < groups[y] : medians[x] < medians[y];
    });
    return order;
}

namespace {

/// Labels of every cell, or of every few cells, of an axis of a heatmap.
std::string tics_of(heatmap const& h, std::vector<int> const& order, map_result const& result) {
    std::string tics;
    auto const step = (h.size + 31) / 32;
    for (std::size_t k = 0; k < h.size; k += step) {
        auto const& place = result.places[static_cast<std::size_t>(order[k * h.places_per_cell])];
        if (!tics.empty()) tics += ", ";
        tics += sonde::detail::gnuplot_lines(place, 24) + ' ' + std::to_string(k);
    }
    return tics;
}

/// Page for gnuplot with the heatmap of a map; empty if nothing was measured.
std::string heatmap_page(measured_map const& m, std::vector<int> const& groups, map_result const& result) {
    auto const order = grouped_order(m, groups);
    auto const h = heatmap_of(m, order, 64);
    std::string cells;
    sonde::detail::value_range range;
    for (auto const v : h.values)
        if (v) range.add(*v);
    if (range.empty()) return {};
    auto const shown = sonde::detail::with_margin(range, sonde::axis_scale::log10);
    for (std::size_t k = 0; k != h.values.size(); ++k)
        cells += (h.values[k] ? sonde::detail::shortest(*h.values[k]) : "NaN") + ((k + 1) % h.size == 0 ? '\n' : ' ');
    auto const tics = tics_of(h, order, result);
    auto const is_latency = m.task.metric == map_metric::latency;
    return "reset\n$cells << end_of_cells\n" + cells + "end_of_cells\nset title " +
           sonde::detail::gnuplot_lines(title_of(m), 85) +
           "\nset palette defined (0 '#440154', 1 '#3b528b', 2 '#21918c', 3 '#5ec962', 4 '#fde725')" +
           (is_latency ? "\n" : " negative\n") + "set logscale cb\nset cbrange [" + sonde::detail::shortest(shown.low) +
           ':' + sonde::detail::shortest(shown.high) + "]\nset cbtics " + sonde::detail::decade_tics(shown).text() +
           "\nset cblabel '" + (is_latency ? "us" : "MB/s") + (h.places_per_cell > 1 ? ", worst of a cell" : "") +
           "'\nset xlabel 'to'\nset ylabel 'from'\nset tics nomirror out\nset size ratio -1\nset xrange [-0.5:" +
           std::to_string(h.size) + " - 0.5]\nset yrange [" + std::to_string(h.size) +
           " - 0.5:-0.5]\nset xtics rotate by -60 (" + tics + ")\nset ytics (" + tics +
           ")\nplot $cells matrix with image pixels notitle\n";
}

} // namespace

void draw_heatmaps(std::string const& path, map_result const& result, std::vector<map_findings> const& findings) {
    std::string pages;
    for (std::size_t i = 0; i != result.maps.size(); ++i)
        pages += heatmap_page(result.maps[i], findings[i].groups, result);
    auto const on = sonde::canvas::for_file(path, static_cast<int>(result.maps.size()));
    auto const layout = "set multiplot layout " + std::to_string(result.maps.size()) + ",1\n";
    sonde::draw(on, on.multi_page ? pages : layout + pages);
}

} // namespace tools::map
