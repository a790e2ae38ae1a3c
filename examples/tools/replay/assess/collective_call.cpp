// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/assess/collective_call.hpp"

#include "tools/replay/run/replayed_calls.hpp"
#include "tools/replay/run/replayed_elements.hpp"

#include <algorithm>
#include <cctype>
#include <limits>
#include <numeric>
#include <set>

namespace tools::replay {

namespace {

/// Translates one call.
class translation {
public:
    translation(step const& s, program const& calls, communicator const& in, MPI_Comm comm) : s_{s}, calls_{calls} {
        made_.collective = blocking_name(s.call);
        made_.comm = comm;
        made_.rank = in.rank;
        made_.ranks = in.size();
        made_.root = std::max(0, static_cast<int>(s.what.root));
        made_.to.assign(in.world.size(), 0);
        made_.from = made_.to;
    }

    std::optional<collective_arguments> operator()() {
        static std::set<std::string> const reductions{"Reduce", "Allreduce", "Reduce_scatter", "Reduce_scatter_block"};
        auto& name = made_.collective;
        if (name == "Bcast") made_.count = bytes(s_.what.count, s_.what.type);
        else if (reductions.count(name) != 0) set_reduction();
        else if (name == "Gather" || name == "Gatherv") set_gather();
        else if (name == "Scatter" || name == "Scatterv") set_scatter();
        else if (name == "Allgather" || name == "Allgatherv") set_allgather();
        else if (name == "Alltoall" || name == "Alltoallv") set_alltoall();
        else if (name != "Barrier") return std::nullopt;
        if (name.ends_with('v')) name.pop_back();
        if (!fits_) return std::nullopt;
        made_.prepare();
        return std::move(made_);
    }

private:
    /// A number that an int counts with those of the other ranks; 0 if it does not.
    int fitting(std::int64_t n) {
        fits_ = fits_ && n < std::numeric_limits<int>::max() / made_.ranks;
        return fits_ ? static_cast<int>(n) : 0;
    }
    /// Bytes of data: what is moved has no gaps between elements.
    int bytes(std::int64_t count, std::int32_t type) {
        return count == absent || type == absent ? 0 : fitting(count * calls_.size_of(type));
    }
    /// The n-th count of the call's list.
    int listed(std::size_t n, std::int32_t type) { return n < s_.counts.size() ? bytes(s_.counts[n], type) : 0; }
    int& own(std::vector<int>& blocks) { return blocks[static_cast<std::size_t>(made_.rank)]; }
    int& of_root(std::vector<int>& blocks) { return blocks[static_cast<std::size_t>(made_.root)]; }

    void set_reduction() {
        auto each = elements_of(calls_, s_.what.count == absent ? 1 : s_.what.count, s_.what.type);
        made_.op = operation_of(calls_, s_, each);
        made_.type = each.type;
        made_.extent = each.extent;
        made_.count = fitting(each.n);
        if (!made_.collective.starts_with("Reduce_scatter")) return;
        auto const unit = s_.what.count == absent ? each.n : 1; // of a list of counts
        for (std::size_t i = 0; i != made_.to.size(); ++i)
            made_.to[i] = fitting(s_.counts.empty() ? each.n : s_.counts.at(i) * unit);
        made_.count = std::accumulate(made_.to.begin(), made_.to.end(), 0);
        made_.collective = "Reduce_scatter";
    }
    void set_gather() {
        auto const& e = s_.what;
        for (std::size_t i = 0; made_.is_root() && i != made_.from.size(); ++i)
            made_.from[i] = s_.counts.empty() ? bytes(e.recv_count, e.recv_type) : listed(i, e.recv_type);
        of_root(made_.to) = made_.is_root() ? own(made_.from) : bytes(e.count, e.type);
    }
    void set_scatter() {
        auto const& e = s_.what;
        for (std::size_t i = 0; made_.is_root() && i != made_.to.size(); ++i)
            made_.to[i] = s_.counts.empty() ? bytes(e.count, e.type) : listed(i, e.type);
        of_root(made_.from) = made_.is_root() ? own(made_.to) : bytes(e.recv_count, e.recv_type);
    }
    void set_allgather() {
        auto const& e = s_.what;
        for (std::size_t i = 0; i != made_.from.size(); ++i)
            made_.from[i] = s_.counts.empty() ? bytes(e.recv_count, e.recv_type) : listed(i, e.recv_type);
        made_.to.assign(made_.to.size(), own(made_.from));
    }
    void set_alltoall() {
        auto const& e = s_.what;
        auto const in_place = e.type == absent;
        auto const second = in_place ? 0 : made_.to.size(); // where the counts to receive begin
        for (std::size_t i = 0; i != made_.to.size(); ++i) {
            made_.from[i] = s_.counts.empty() ? bytes(e.recv_count, e.recv_type) : listed(second + i, e.recv_type);
            made_.to[i] = in_place ? made_.from[i] : s_.counts.empty() ? bytes(e.count, e.type) : listed(i, e.type);
        }
    }

    step const& s_;
    program const& calls_;
    collective_arguments made_{};
    bool fits_ = true;
};

} // namespace

std::optional<collective_arguments> arguments_of(step const& s, program const& calls, communicator const& in,
                                                 MPI_Comm comm) {
    return translation{s, calls, in, comm}();
}

std::vector<step> other_mode(std::vector<step> const& collective) {
    if (collective.empty()) return {};
    auto other = collective.front();
    auto const blocking = blocking_name(other.call);
    if (blocking != other.call) {
        other.call = blocking;
        return {other};
    }
    other.call[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(other.call[0])));
    other.call.insert(0, 1, 'I');
    step wait{.call = "Wait", .requests = {1}, .place = other.place};
    return {other, wait};
}

} // namespace tools::replay
