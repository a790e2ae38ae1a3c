// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/assess/measured_alternatives.hpp"

#include "tools/replay/assess/collective_arguments.hpp"
#include "tools/replay/assess/collective_call.hpp"
#include "tools/replay/assess/exchange_alternatives.hpp"
#include "tools/replay/run/replayed_rank.hpp"

#include <sonde/measure/compare.hpp>
#include <sonde/mpi/error.hpp>

#include <algorithm>
#include <array>
#include <deque>
#include <limits>
#include <list>
#include <map>
#include <optional>
#include <utility>

namespace tools::replay {

namespace {

/// Pattern of a way on this rank.
struct way_pattern {
    alternative_way const& way;
    sonde::role part;
    sonde::traffic moved;
    sonde::point at;

    void operator()() const {
        if (way.call) way.call();
    }
    sonde::role role() const { return part; }
    sonde::traffic traffic() const { return moved; }
    sonde::point point() const { return at; }
};

std::vector<step const*> pointers(std::vector<step> const& steps) {
    std::vector<step const*> found;
    for (auto const& s : steps) found.push_back(&s);
    return found;
}

/// True if no rank sends or receives more bytes than an int counts.
bool fit_in_int(std::vector<exchanged_message> const& all) {
    std::map<int, double> out, in;
    for (auto const& m : all) {
        out[m.from] += m.bytes;
        in[m.to] += m.bytes;
    }
    auto const is_small = [](auto const& of_rank) { return of_rank.second < std::numeric_limits<int>::max() / 2; };
    return std::all_of(out.begin(), out.end(), is_small) && std::all_of(in.begin(), in.end(), is_small);
}

constexpr auto independent = "no message depends on another one of the exchange";

} // namespace

/// What the ways refer to.
struct operation_ways::parts {
    thread_trace const& own;
    std::deque<std::vector<step>> steps{};
    replayed_windows windows{}; // one-sided operations are no part of an operation
    std::list<replayed_rank> replays{};
    std::optional<collective_arguments> arguments{};
    std::vector<std::unique_ptr<exchange_messages>> rounds{};
    std::vector<std::unique_ptr<exchange_alternative>> alternatives{};
    MPI_Comm participants = MPI_COMM_NULL;

    ~parts() {
        alternatives.clear();
        if (participants != MPI_COMM_NULL) MPI_Comm_free(&participants);
    }
};

operation_ways::operation_ways(sonde::mpi::group& world, trace const& t, site_operation const& o,
                               replayed_communicators const& communicators)
    : world_{world}, trace_{t}, operation_{o}, communicators_{communicators},
      parts_{new parts{t.threads[static_cast<std::size_t>(world.rank())]}} {
    auto const& own = parts_->steps.emplace_back(o.steps[static_cast<std::size_t>(world.rank())]);
    auto& base = parts_->replays.emplace_back(t, parts_->own, pointers(own), communicators, parts_->windows, false);
    ways_.push_back({"as in the application", "", [&base] { base(); }});
    if (o.is_collective) add_collectives();
    else add_exchanges();
}

operation_ways::~operation_ways() = default;

bool operation_ways::on_all(bool holds) const {
    int all = holds ? 1 : 0;
    sonde::mpi::check(MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, world_.comm()), "MPI_Allreduce");
    return all != 0;
}

void operation_ways::add(alternative_way way, bool is_right) {
    if (on_all(is_right)) ways_.push_back(std::move(way));
    else remarks_.push_back(way.name + " gives other data, and is left out");
}

void operation_ways::add_collectives() {
    auto const& own = parts_->steps.front();
    auto const& other = parts_->steps.emplace_back(other_mode(own));
    auto& replay =
        parts_->replays.emplace_back(trace_, parts_->own, pointers(other), communicators_, parts_->windows, false);
    auto first = operation_.steps.begin(); // a rank that takes part
    while (first->empty()) ++first;
    auto const mode = other_mode(*first);
    ways_.push_back(
        {"MPI_" + mode.front().call + (mode.size() == 1 ? "" : " + MPI_Wait"), "", [&replay] { replay(); }});
    if (!own.empty()) {
        auto const& in = parts_->own.communicators[static_cast<std::size_t>(own.front().what.comm)];
        parts_->arguments = arguments_of(own.front(), trace_.programs[parts_->own.program], in, communicators_.of(in));
    }
    if (!on_all(own.empty() || parts_->arguments)) return;
    auto name = parts_->arguments ? parts_->arguments->collective : "";
    sonde::broadcast(world_, name, static_cast<int>(first - operation_.steps.begin()));
    for (auto const& algorithm : collective_algorithms()) {
        if (algorithm.collective != name) continue;
        auto* const arguments = parts_->arguments ? &*parts_->arguments : nullptr;
        auto const is_right = arguments == nullptr || gives_the_same(algorithm, *arguments);
        add({algorithm.name, "",
             [arguments, call = algorithm.call] {
                 if (arguments != nullptr) call(*arguments);
             }},
            is_right);
    }
}

void operation_ways::add_exchanges() {
    auto const messages = messages_of(trace_, operation_);
    if (messages.empty()) return;
    if (!fit_in_int(messages)) {
        remarks_.emplace_back("messages of 1 GiB and more on a rank have no alternatives");
        return;
    }
    std::vector<message_order> orders;
    for (auto const& steps : operation_.steps) orders.push_back(order_of(steps));
    auto const form = form_of(messages, orders);
    for (auto const& round : form.rounds)
        parts_->rounds.push_back(std::make_unique<exchange_messages>(world_.comm(), world_.rank(), round));
    std::string const condition = form.may_depend ? independent : "";
    if (!form.is_at_once) add_rounds("nonblocking messages at once", condition, messages_at_once);
    add_rounds("persistent requests", condition, persistent_messages);
    add_rounds("a neighborhood collective", condition, neighborhood_collective);
    add_forms(form, messages);
}

void operation_ways::add_rounds(std::string name, std::string const& condition,
                                std::unique_ptr<exchange_alternative> (*make)(exchange_messages&)) {
    std::vector<exchange_alternative*> rounds;
    for (auto const& messages : parts_->rounds) {
        messages->has_received_all(); // clears the memory
        rounds.push_back(parts_->alternatives.emplace_back(make(*messages)).get());
    }
    auto const call = [rounds] {
        for (auto* const round : rounds) (*round)();
    };
    call();
    bool is_right = true;
    for (auto const& messages : parts_->rounds) is_right = messages->has_received_all() && is_right;
    add({std::move(name), condition, call}, is_right);
}

void operation_ways::add_forms(exchange_form const& form, std::vector<exchanged_message> const& messages) {
    if (form.collectives.empty()) return;
    auto const takes_part = std::binary_search(form.ranks.begin(), form.ranks.end(), world_.rank());
    sonde::mpi::check(
        MPI_Comm_split(world_.comm(), takes_part ? 0 : MPI_UNDEFINED, world_.rank(), &parts_->participants),
        "MPI_Comm_split");
    double largest = 0;
    for (auto const& m : messages) largest = std::max(largest, m.bytes);
    if (largest * static_cast<double>(form.ranks.size()) >= std::numeric_limits<int>::max()) return;
    for (auto const& collective : form.collectives) {
        auto& kept = *parts_->alternatives.emplace_back(collective_of_form(collective, parts_->participants));
        ways_.push_back({collective.name, collective.condition, [&kept] { kept(); }});
    }
}

sonde::comparison operation_ways::compare(assessment_plan const& plan) {
    auto const takes_part = !parts_->steps.front().empty();
    auto const moved = parts_->replays.front().traffic();
    std::vector<way_pattern> patterns;
    for (auto const& way : ways_)
        patterns.push_back({way,
                            takes_part ? sonde::role::initiator : sonde::role::idle,
                            moved,
                            {"assess",
                             {{"phase", operation_.phase},
                              {"call", operation_.call_text()},
                              {"site", operation_.site_text()},
                              {"way", way.name}}}});
    auto const rounds = std::max(plan.rounds, sonde::rounds_needed(ways_.size(), plan.confidence));
    auto const measured = sonde::plan<>{}.warmup(5).until(sonde::samples{rounds} || sonde::time_budget{plan.time});
    return sonde::compare(world_, measured,
                          sonde::alternatives{patterns.size(), [&](std::size_t i, auto f) { f(patterns[i]); }});
}

assessment assessment_of(site_operation const& o, operation_ways const& ways, sonde::comparison const& measured,
                         assessment_plan const& plan) {
    assessment found{o.phase, o.call_text(), o.site_text(), o.calls, o.ranks(), o.times, o.median_seconds};
    found.total_seconds = o.total_seconds();
    found.alone_seconds = sonde::median(measured.records[0]).count();
    found.remarks = ways.remarks();
    sonde::criterion const required{plan.gain, plan.confidence};
    for (std::size_t i = 1; i < ways.all().size(); ++i)
        found.alternatives.push_back(
            {ways.all()[i].name, ways.all()[i].condition, sonde::median(measured.records[i]).count(),
             sonde::speedup(measured, i), sonde::speedup_interval(measured, i, plan.confidence),
             sonde::classify(measured, i, required), sonde::outcome_text(measured, i, required)});
    return found;
}

} // namespace tools::replay
