// SPDX-License-Identifier: BSL-1.0
#include <sonde/drawing/plot.hpp>

#include <algorithm>
#include <cerrno>
#include <set>
#include <system_error>
#include <unistd.h>

namespace sonde::inline v0_1::detail {

std::vector<double> values_of(record const& r, sample_metric const& metric) {
    std::vector<double> values;
    if (!has_times(r)) return values;
    for (auto const t : r.series) values.push_back(metric.value(r, t));
    return values;
}

std::string sample_page(record const& r, sample_metric const& metric) {
    if (!has_times(r)) return {};
    return samples_page(title_of(r.point), "sample", metric.label, values_of(r, metric));
}

std::string point_label(point const& at) {
    auto label = at.name;
    for (auto const& p : at.parameters) label += (label.empty() ? "" : "-") + p.text;
    for (char& c : label)
        if (c == '/' || static_cast<unsigned char>(c) <= ' ') c = '_';
    return label;
}

std::string labeled_path(std::string const& path, std::string const& label) {
    auto const dot = path.find_last_of("./");
    auto const suffix = dot == std::string::npos || path[dot] == '/' ? path.size() : dot;
    return path.substr(0, suffix) + (label.empty() ? "" : "-") + label + path.substr(suffix);
}

/// Throws std::system_error if no file can be created in the folder of `path`.
void require_writable_folder(std::string const& path) {
    auto const slash = path.rfind('/');
    auto const folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    if (access(folder.c_str(), W_OK | X_OK) != 0)
        throw std::system_error{errno, std::generic_category(), "cannot write into '" + folder + "'"};
}

void require_terminal(canvas const& on) { run_gnuplot("set terminal " + on.terminal, on.text); }

/// Add a page of violins unless no value can be drawn.
void add_violins(std::vector<std::string>& to, std::string const& title, std::string const& x_label,
                 std::string const& y_label, std::vector<violin> const& all) {
    if (std::any_of(all.begin(), all.end(),
                    [](auto const& v) { return !sorted_drawable(v.values, axis_scale::log10).empty(); }))
        to.push_back(violin_page(title, x_label, y_label, all));
}

/// The pages for records of a single size, which show their samples. Samples of several records are drawn next to one
/// another.
plot_pages single_size_pages(std::vector<record> const& records, sample_metric const& metric) {
    if (records.size() == 1) return {{sample_page(records.front(), metric)}};
    auto const found = group_series(records);
    std::vector<violin> violins;
    for (auto const& s : found.series)
        for (auto const* r : s.records) violins.push_back({s.name(), values_of(*r, metric)});
    plot_pages pages;
    add_violins(pages.figures, found.common, "", metric.label, violins);
    return pages;
}

plot_pages size_plot_pages(std::vector<record> const& records, size_plot_options const& given) {
    auto options = given;
    if (options.samples.label.empty()) options.samples.label = time_label(records);
    if (std::none_of(records.begin(), records.end(), has_times)) return {};
    std::set<double> sizes;
    for (auto const& r : records) sizes.insert(bytes_of(r).value_or(0));
    if (sizes.size() < 2) return single_size_pages(records, options.samples);
    plot_pages pages;
    for (auto const& part : split_into_figures(records)) {
        if (std::none_of(part.begin(), part.end(), has_times)) continue;
        pages.figures.push_back(figure_page(latency_figure(part, options.estimators)));
        if (std::any_of(part.begin(), part.end(), [](record const& r) { return r.total.bytes > 0; }))
            pages.figures.push_back(figure_page(bandwidth_figure(part, options.estimators)));
    }
    auto const found = group_series(records);
    for (auto const& s : found.series) {
        std::vector<violin> violins;
        for (auto const* r : s.records)
            violins.push_back({binary_label(bytes_of(*r).value_or(0)), values_of(*r, options.samples)});
        auto const gap = found.common.empty() || s.settings.empty() ? "" : "  ";
        add_violins(pages.samples, found.common + gap + s.name(), "message size (bytes)", options.samples.label,
                    violins);
    }
    return pages;
}

void draw_sizes(canvas const& on, std::vector<record> const& records, size_plot_options const& options) {
    auto [figures, samples] = size_plot_pages(records, options);
    if (figures.empty()) return;
    if (on.path.empty()) return draw(on, joined(figures, ""));
    if (on.multi_page) return draw(on, joined(figures, "") + joined(samples, ""));
    if (samples.size() == 1) figures.push_back(std::move(samples.front()));
    auto const count = figures.size();
    draw(canvas::for_file(on.path, static_cast<int>(count)),
         "set multiplot layout " + std::to_string(count) + ",1\n" + joined(figures, "") + "unset multiplot\n");
}

} // namespace sonde::detail

namespace sonde::inline v0_1 {

sample_plot::sample_plot(canvas on, sample_metric metric) : on_{std::move(on)}, metric_{std::move(metric)} {
    detail::require_terminal(on_);
    if (on_.multi_page) {
        if (!on_.path.empty()) require_writable(on_.path);
        kept_ = std::make_shared<detail::kept_records>([on = on_, metric = metric_](auto const& all) {
            auto const pages = detail::joined(all, "", [&](record const& r) { return detail::sample_page(r, metric); });
            if (!pages.empty()) draw(on, pages);
        });
    } else if (!on_.path.empty()) {
        detail::require_writable_folder(on_.path);
    }
}

void sample_plot::operator()(record const& r) {
    if (kept_) return kept_->add(r);
    auto const page = detail::sample_page(r, metric_);
    if (page.empty()) return;
    auto on = on_;
    if (!on.path.empty()) on.path = detail::labeled_path(on.path, detail::point_label(r.point));
    draw(on, page);
}

void sample_plot::finish() {
    if (kept_) kept_->finish();
}

size_plot::size_plot(canvas const& on, size_plot_options options)
    : kept_{std::make_shared<detail::kept_records>(
          [on, options = std::move(options)](auto const& all) { detail::draw_sizes(on, all, options); })} {
    detail::require_terminal(on);
    if (!on.path.empty()) require_writable(on.path);
}

} // namespace sonde
