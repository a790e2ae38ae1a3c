// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "measure.hpp"
#include "refusal.hpp"
#include "reports.hpp"
#include "table.hpp"

#include <sonde/mpi/group.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace osu {

/// What the body of a program works with: the ranks, what was asked for, memory for messages, and where rows go.
class bench {
public:
    /// Opens reports and takes memory. Throws refusal, on all ranks, where that cannot be. Collective over the group.
    bench(program const& about, options asked, sonde::mpi::group& world, int argc, char const* const* argv);

    sonde::mpi::group& world() { return world_; }
    program const& about() const { return about_; }
    options const& asked() const { return asked_; }
    message_layout const& layout() const { return *layout_; }
    osu::table& table() { return table_; }

    std::vector<datatype> types() const { return types_of(asked_); }
    /// From the smallest, doubling; those in which an element fits.
    std::vector<std::size_t> sizes(datatype const& type) const;

    /// The lines above a datatype's rows.
    void begin(datatype const& type) {
        table_.datatype(type.name);
        table_.titles();
    }

    /// Memory for the messages of a further thread.
    payload another_payload(int rank) const;

    /// The plan of a size: the suite's counts, one barrier.
    auto plan(std::size_t size) const { return plan_of(about_, asked_, size); }

    /// The record of one spot: `make(out, in, elements)` -> pattern. Collective over the group.
    template <class Plan, class Make>
    sonde::record run(spot const& at, Plan const& plan, Make const& make) {
        return measure(world_, about_, asked_, *data_, *layout_, at, plan, make);
    }

    /// A row of the table, and the record to every report; see `keep`.
    bool report(spot const& at, sonde::record const& found) {
        table_.row(at.size, found);
        return keep(at, found);
    }
    /// The record to every report, without a row. False where its contents were wrong: the sweep of this datatype ends.
    bool keep(spot const& at, sonde::record const& found);

    /// What `main` returns: 1 where contents were wrong, with a line on stdout that says so.
    int status();

private:
    std::size_t points() const;

    program const& about_;
    options asked_;
    sonde::mpi::group& world_;
    osu::table table_;
    std::optional<message_layout> layout_;
    std::optional<payload> data_;
    std::vector<reporter> reports_;
    std::string command_;
    std::optional<std::size_t> failed_; // the last size whose contents were wrong
};

} // namespace osu
