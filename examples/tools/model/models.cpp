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

constexpr model_row const* all_rows[] = {&hockney_row, &multi_row, &max_rate_row, &log_gp_row};

} // namespace

model_row const& row_of(model_kind kind) { return *all_rows[static_cast<std::size_t>(kind)]; }

std::vector<suite::choice<model_kind>> model_choices() {
    std::vector<suite::choice<model_kind>> all;
    for (auto const* row : all_rows) all.push_back({row->name, row->kind});
    return all;
}

model_kind kind_of(std::string const& word) {
    for (auto const* row : all_rows)
        if (row->name == word) return row->kind;
    throw std::runtime_error{"there is no model '" + word + "'"};
}

std::vector<suite::choice<latency_form>> form_choices() {
    return {{name(latency_form::time_line), latency_form::time_line},
            {name(latency_form::published), latency_form::published}};
}

char const* name(latency_form form) { return form == latency_form::published ? "published" : "time-line"; }

latency_form form_of(std::string const& word) {
    for (auto const& form : form_choices())
        if (word == form.word) return form.value;
    throw std::runtime_error{"there is no form '" + word + "' of the model"};
}

std::string formula(model_kind kind, latency_form form) {
    auto const& row = row_of(kind);
    return form == latency_form::published && row.published != nullptr ? row.published : row.formula;
}

seconds time_of(model_variant const& model, workload const& at) { return all_rows[model.index()]->time(model, at); }

double bandwidth(workload const& at, seconds time, model_kind kind) {
    auto const messages = kind == model_kind::multi ? 4 * at.repetitions : at.pairs * at.messages;
    return messages * at.bytes / time.count();
}

seconds collective_time(std::string const& name, int processes, model_variant const& of, double size, seconds gamma) {
    namespace costs = sonde::model::collectives;
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
