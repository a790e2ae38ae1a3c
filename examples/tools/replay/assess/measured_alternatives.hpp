// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/assess/assessment.hpp"
#include "tools/replay/run/replayed_communicators.hpp"

#include <sonde/clock.hpp>
#include <sonde/measure/comparison.hpp>
#include <sonde/mpi/group.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tools::replay {

class exchange_alternative;
class exchange_messages;
struct exchange_form;

/// One way of this rank to make an operation.
struct alternative_way {
    std::string name, condition{};
    std::function<void()> call{};
};

/// How each operation is measured.
struct assessment_plan {
    std::size_t rounds = 200;
    sonde::seconds time{3};
    double gain = 0.05;
    double confidence = 0.95; // of all alternatives of this operation
};

/// The way of the application and its alternatives, which refer to the trace. Construction and destruction are
/// collective over the world.
class operation_ways {
public:
    operation_ways(sonde::mpi::group& world, trace const& t, site_operation const& o,
                   replayed_communicators const& communicators);
    ~operation_ways();

    /// Measures all ways in turns. Collective; equal on all ranks.
    sonde::comparison compare(assessment_plan const& plan);
    /// The first is that of the application.
    std::vector<alternative_way> const& all() const { return ways_; }
    /// Alternatives that were left out, and why.
    std::vector<std::string> const& remarks() const { return remarks_; }

private:
    struct parts;

    void add_collectives();
    void add_exchanges();
    void add_rounds(std::string name, std::string const& condition,
                    std::unique_ptr<exchange_alternative> (*make)(exchange_messages&));
    void add_forms(exchange_form const& form, std::vector<exchanged_message> const& messages);
    /// Leaves the way out, with a remark, unless `is_right` on all ranks.
    void add(alternative_way way, bool is_right);
    bool on_all(bool holds) const;

    sonde::mpi::group& world_;
    trace const& trace_;
    site_operation const& operation_;
    replayed_communicators const& communicators_;
    std::unique_ptr<parts> parts_;
    std::vector<alternative_way> ways_{};
    std::vector<std::string> remarks_{};
};

/// The assessment of an operation from its comparison.
assessment assessment_of(site_operation const& o, operation_ways const& ways, sonde::comparison const& measured,
                         assessment_plan const& plan);

} // namespace tools::replay
