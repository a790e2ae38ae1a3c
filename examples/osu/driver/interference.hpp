// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/osu_options.hpp"
#include "osu/driver/plan.hpp"

#include <sonde/measure/beside.hpp>
#include <sonde/measure/compare.hpp>
#include <sonde/mpi/congestors.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/pattern/pattern_ref.hpp>

#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace osu {

/// A row of `--beside`: the exchange alone and beside the load, and what the load sent during the row.
struct interference {
    sonde::comparison times;
    sonde::mpi::congestor_traffic load_alone;
    sonde::mpi::congestor_traffic load_beside;
};

/// "alltoall of 65536 bytes"
std::string name(load_choice const& load);

/// The load of `--beside` during a program, on the ranks that measure. It must outlive the driver.
class load_beside {
public:
    load_beside(sonde::mpi::congestors& load, load_choice const& choice) : load_{load}, choice_{choice} {}

    /// Measure the exchange of a row alone and beside the load. Returns the record of the exchange alone. Collective
    /// over the measuring ranks.
    template <class P>
    sonde::record measure(sonde::mpi::group& group, size_plan const& plan, P& pattern, sonde::point const& at) {
        using load_or_none = sonde::detail::optional_load<sonde::mpi::congestors>;
        sonde::beside alone{group, load_or_none{nullptr}, pattern}, loaded{group, load_or_none{&load_}, pattern};
        sonde::named base{point_beside(at, "nothing"), alone}, other{point_beside(at, name(choice_)), loaded};
        return compare(group, plan, base, other);
    }
    /// What the latest row found, once.
    std::optional<interference> take() { return std::exchange(latest_, std::nullopt); }

private:
    using exchange_ref = sonde::pattern_ref<sonde::mpi::wtime>;

    static sonde::point point_beside(sonde::point at, std::string const& what);
    sonde::record compare(sonde::mpi::group& group, size_plan const& plan, exchange_ref alone, exchange_ref loaded);

    sonde::mpi::congestors& load_;
    load_choice choice_;
    std::optional<interference> latest_;
};

/// Run a program's driver on the first two ranks, `measure(load, group of the two)`, while the other ranks are the
/// load. Returns its status on all ranks; a refusal is thrown on all ranks. Collective over the group.
int run_beside(sonde::mpi::group& world, load_choice const& choice,
               std::function<int(load_beside&, sonde::mpi::group&)> const& measure);

} // namespace osu
