// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../common/recipe.hpp"
#include "../buffers.hpp"
#include "../point.hpp"
#include "../stage.hpp"
#include "../validation.hpp"
#include "collective.hpp"
#include "contribution.hpp"
#include "neighbours.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace osu {

/// Bytes that a collective's regions have on this rank.
struct extents {
    std::size_t sends = 0;
    std::size_t receives = 0;
};

/// Those that a collective of a recipe needs.
using need_of = std::function<extents(common::recipe const&)>;

/// The stage of a collective: its ranks and their topology, memory, and the root.
class collective_stage : public stage {
public:
    /// Lowers the largest size to what `-M` allows, makes the topology, takes memory for what `needs(recipe)` says of
    /// the largest sizes. Throws refusal, on all ranks, where that cannot be. Collective over the group.
    collective_stage(given const& g, collective const& what, need_of const& needs);

    /// What a size's collective is made of, derived types included.
    struct ingredients {
        message_layout::described message;
        common::recipe recipe;
    };
    ingredients of(spot const& at) const;
    sonde::point point(spot const& at) const;

    /// The regions of a size, filled as OMB fills them: what is sent with 1, what is received with 0.
    struct places {
        sonde::opaque_region out;
        sonde::opaque_region in;
    };
    places regions(extents const& needed);
    /// The regions as they lie there, copied to where the host can dereference them; and back.
    struct copies {
        std::vector<std::byte> out;
        std::vector<std::byte> in;
    };
    copies read(places const& here) const;
    void write(places const& here, copies const& from);

    /// The root of the i-th call of a pattern.
    int root_at(std::size_t call) const;

    /// The lines above the title.
    std::string announcement() const { return near_ ? near_->announcement() : ""; }
    /// What ranks contribute in a round of a check.
    contribution contribution_of(std::size_t round) const {
        return {round, what_.size_is == meaning::vector ? world().size() : 1};
    }
    std::optional<wrong_log> const& log() const { return log_; }

private:
    void require_kernels() const;
    std::size_t bytes_allowed() const;
    void limit_memory();
    void require_root();
    extents largest(need_of const& needs) const;
    void take_buffers(extents const& most);

    collective const& what_;
    std::optional<neighbours> near_;
    std::optional<buffer> out_;
    std::optional<buffer> in_;
    std::optional<wrong_log> log_;
};

} // namespace osu
