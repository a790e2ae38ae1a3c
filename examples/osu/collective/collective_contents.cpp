// SPDX-License-Identifier: BSL-1.0
// Validation of collectives: known contributions, and the contents that they lead to.
#include "osu/collective/collective_driver.hpp"

#include <sonde/measure/run.hpp>

#include <vector>

namespace osu {

namespace {

std::vector<sonde::contribution> contributions_of(operation which, recipe const& r, int root) {
    return with_any_operation(which, r, [root](auto const& op) { return op.contributions(root); });
}

std::vector<sonde::expected_block> expected_blocks_of(operation which, recipe const& r, int root) {
    return with_any_operation(which, r, [root](auto const& op) { return op.expected_blocks(root); });
}

} // namespace

known_values collective_driver::values_in(std::size_t round) const {
    return {round, what_.size_of == size_of::vector ? world().size() : 1};
}

int collective_driver::root_in(std::size_t round) const {
    auto const& root = options().root;
    if (!root.rotates) return root.rank;
    auto const call = round * (options().check.warmup + 1) + options().check.warmup;
    return static_cast<int>(call % static_cast<std::size_t>(world().size()));
}

void collective_driver::write_contributions(point const& at, collective_buffers const& buffers, std::size_t round) {
    auto out = out_->view(buffers.out), in = in_->view(buffers.in);
    out.load(); // gaps between contributions stay as they are
    sonde::host_memory{}.fill(in.bytes(), std::byte{0});
    for (auto const& c : contributions_of(what_.operation, recipe_of(at), root_in(round))) {
        if (c.bytes == 0) continue; // its offset may lie beyond the region
        auto const block = (c.in_recvbuf ? in : out).bytes().subspan(c.offset, c.bytes);
        suite::write_contribution(block, {at.type.kind}, values_in(round), world().rank(), c.destination);
    }
    out.store();
    in.store();
}

std::size_t collective_driver::count_wrong_in(point const& at, collective_buffers const& buffers,
                                              std::size_t round) const {
    auto in = in_->view(buffers.in);
    in.load();
    std::vector<wrong_element> wrong;
    for (auto const& block : expected_blocks_of(what_.operation, recipe_of(at), root_in(round)))
        compare_block(in.bytes(), {at.type.kind}, values_in(round), block, append_to(wrong));
    if (log_) (*log_)({at.type.kind, at.size, round}, wrong);
    return wrong.size();
}

std::size_t collective_driver::count_wrong(point const& at, collective_buffers const& buffers,
                                           std::function<void()> const& call) {
    auto const prepare = [&](std::size_t round) {
        write_contributions(at, buffers, round);
        for (std::size_t i = 0; i != options().check.warmup; ++i) call();
        write_contributions(at, buffers, round);
    };
    auto const verify = [&](std::size_t round) { return count_wrong_in(at, buffers, round); };
    auto pattern = call;
    return sonde::validate(world(), pattern, prepare, verify, check_rounds(options()));
}

} // namespace osu
