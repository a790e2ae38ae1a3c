// SPDX-License-Identifier: BSL-1.0
#include "tools/model/models.hpp"

#include "tools/model/models/model_rows.hpp"

#include <sonde/model.hpp>
#include <sonde/report/text.hpp>

#include <cstddef>
#include <stdexcept>

namespace tools::model {

namespace {

using sonde::seconds;
using sonde::model::bytes;

constexpr model_row const* rows[] = {&hockney_row, &multi_row, &max_rate_row, &log_gp_row};

} // namespace

model_row const& row_of(model_kind kind) { return *rows[static_cast<std::size_t>(kind)]; }

std::vector<std::string> model_names() {
    std::vector<std::string> all;
    for (auto const* row : rows) all.emplace_back(row->name);
    return all;
}

model_kind kind_of(std::string const& word) {
    for (auto const* row : rows)
        if (row->name == word) return row->kind;
    throw std::runtime_error{"the model '" + word + "' is none of " + sonde::detail::joined(model_names(), ", ")};
}

char const* name(latency_form form) { return form == latency_form::published ? "published" : "time-line"; }

latency_form form_of(std::string const& word) {
    for (auto const form : {latency_form::published, latency_form::time_line})
        if (word == name(form)) return form;
    throw std::runtime_error{"--form '" + word + "' is none of time-line, published"};
}

std::string formula(model_kind kind, latency_form form) {
    auto const& row = row_of(kind);
    return form == latency_form::published && row.published != nullptr ? row.published : row.formula;
}

seconds time_of(model_variant const& model, workload const& at) { return rows[model.index()]->time(model, at); }

double bandwidth(workload const& at, seconds time, model_kind kind) {
    auto const messages = kind == model_kind::multi ? 4 * at.repetitions : at.pairs * at.messages;
    return messages * at.bytes / time.count();
}

seconds collective_time(std::string const& name, int processes, model_variant const& of, double size, seconds gamma) {
    namespace costs = sonde::model::collectives;
    if (processes < 1) throw std::runtime_error{"--processes takes a number, 1 or more"};
    bytes const m{size};
    auto const& h = std::get<sonde::model::piecewise_hockney>(of).at(m).model;
    if (name == "barrier") return costs::barrier(h, processes);
    if (name == "broadcast") return costs::broadcast(h, processes, m);
    if (name == "allgather") return costs::allgather(h, processes, m);
    if (name == "alltoall") return costs::alltoall(h, processes, m);
    if (name == "allreduce") return costs::allreduce(h, processes, m, gamma);
    throw std::runtime_error{"--collective '" + name +
                             "' is none of barrier, broadcast, allgather, alltoall, allreduce"};
}

} // namespace tools::model
