// SPDX-License-Identifier: BSL-1.0
#include "patterns.hpp"

#include "module.hpp"

#include <sonde/mpi/memory.hpp>

#include <cstdint>
#include <new>
#include <stdexcept>
#include <utility>

namespace binding {

/// Size of an array in blocks: none, one, one for each rank, one for each message in flight.
enum class extent : unsigned char { none, one, ranks, window };

namespace {

sonde::pairing pairing_of(native_arguments const& a) { return sonde::pair_of(a.ranks.rank(), a.pairs); }

any_pattern make_ping_pong(native_arguments& a, sonde::point at) {
    auto const [role, peer] = pairing_of(a);
    auto const& in = a.recv.exists() ? a.recv : a.send;
    mpi::link const link{a.ranks, peer, {}, {a.send.type()}};
    return sonde::named{std::move(at), ping_pong{link, role, a.send.slice(), in.slice()}};
}

/// The receive regions of a window: those of the user, or of this pattern.
sonde::opaque_rotating window_of(native_arguments& a) {
    auto const stride = a.bytes == 0 ? 1 : a.bytes;
    auto const own = sonde::region{a.own_window.data(), a.own_window.size()};
    return {a.recv.exists() ? a.recv.region() : own, a.bytes, stride};
}

any_pattern make_stream(native_arguments& a, sonde::point at) {
    auto const [role, peer] = pairing_of(a);
    mpi::async_link link{a.ranks, peer, {}, {a.send.type()}};
    mpi::link const back{a.ranks, peer, 1};
    sonde::slice const token{sonde::region{&a.token, 1}};
    return sonde::named{std::move(at),
                        stream{std::move(link), role, a.window, a.send.slice(), window_of(a), back, token}};
}

any_pattern make_bidirectional(native_arguments& a, sonde::point at) {
    auto const [role, peer] = pairing_of(a);
    mpi::async_link link{a.ranks, peer, {}, {a.send.type()}};
    return sonde::named{std::move(at), bidirectional{std::move(link), role, a.window, a.send.slice(), window_of(a)}};
}

/// A block of `bytes` of the elements of the array.
mpi::block block_of(native_arguments const& a, array const& elements) {
    return {elements.type(), a.bytes / elements.element_bytes()};
}

template <class Operation>
any_pattern on_arrays(native_arguments& a, sonde::point at, Operation operation) {
    return sonde::named{std::move(at), collective<Operation>{std::move(operation), a.send.slice(), a.recv.slice()}};
}

template <class Operation>
any_pattern make_rootless(native_arguments& a, sonde::point at) {
    return on_arrays(a, std::move(at), Operation{a.ranks, block_of(a, a.send)});
}
template <class Operation>
any_pattern make_rooted(native_arguments& a, sonde::point at) {
    return on_arrays(a, std::move(at), Operation{a.ranks, block_of(a, a.send.exists() ? a.send : a.recv), a.root});
}
template <class Operation>
any_pattern make_reduction(native_arguments& a, sonde::point at) {
    return on_arrays(a, std::move(at), Operation{a.ranks, block_of(a, a.send), a.operation});
}
any_pattern make_reduce(native_arguments& a, sonde::point at) {
    return on_arrays(a, std::move(at), mpi::reduce{a.ranks, block_of(a, a.send), a.operation, a.root});
}
any_pattern make_barrier(native_arguments& a, sonde::point at) {
    return sonde::named{std::move(at), collective<mpi::barrier>{mpi::barrier{a.ranks}}};
}
any_pattern make_bcast(native_arguments& a, sonde::point at) { // its one buffer is the receive buffer
    mpi::bcast const operation{a.ranks, block_of(a, a.recv), a.root};
    return sonde::named{std::move(at), collective<mpi::bcast>{operation, a.recv.slice()}};
}

} // namespace

struct pattern_kind {
    char const* name;
    extent send;
    extent recv;
    bool has_root;
    bool reduces;
    any_pattern (*make)(native_arguments&, sonde::point);
    bool has_pairs = false;
    bool may_overlap = false; // the receive memory may be the send memory
};

namespace {

using enum extent;

/// With a root, the array with a block for each rank, and the result of a reduction, are needed on the root only.
constexpr pattern_kind kinds[] = {
    {"ping_pong", one, one, false, false, make_ping_pong, true, true},
    {"stream", one, window, false, false, make_stream, true, true},
    {"bidirectional", one, window, false, false, make_bidirectional, true},
    {"barrier", none, none, false, false, make_barrier},
    {"bcast", none, one, true, false, make_bcast},
    {"allreduce", one, one, false, true, make_reduction<mpi::allreduce>},
    {"reduce", one, one, true, true, make_reduce},
    {"allgather", one, ranks, false, false, make_rootless<mpi::allgather>},
    {"gather", one, ranks, true, false, make_rooted<mpi::gather>},
    {"scatter", ranks, one, true, false, make_rooted<mpi::scatter>},
    {"alltoall", ranks, ranks, false, false, make_rootless<mpi::alltoall>},
    {"reduce_scatter_block", ranks, one, false, true, make_reduction<mpi::reduce_scatter_block>},
};

pattern_kind const& kind_of(std::string const& name) {
    for (auto const& kind : kinds)
        if (kind.name == name) return kind;
    throw py::value_error{"sonde.patterns: there is no pattern " + name};
}

/// Number of blocks in an array.
std::size_t blocks_of(extent of, native_arguments const& a) {
    return of == extent::ranks ? static_cast<std::size_t>(a.ranks.size()) : of == extent::window ? a.window : 1;
}

/// True if this rank needs the array: with a root, an array for all ranks, or of a result, is needed there only.
bool is_needed(pattern_kind const& kind, bool sends, native_arguments const& a) {
    auto const of = sends ? kind.send : kind.recv;
    if (of == extent::none) return false;
    auto const on_root_only = kind.has_root && (of == extent::ranks || (!sends && kind.reduces));
    return !on_root_only || a.ranks.rank() == a.root;
}

/// mpi4py's name of an operation.
char const* name_of(MPI_Op operation) {
    struct named_operation {
        MPI_Op operation;
        char const* name;
    };
    named_operation const known[] = {{MPI_SUM, "MPI.SUM"},   {MPI_PROD, "MPI.PROD"}, {MPI_MAX, "MPI.MAX"},
                                     {MPI_MIN, "MPI.MIN"},   {MPI_LAND, "MPI.LAND"}, {MPI_LOR, "MPI.LOR"},
                                     {MPI_LXOR, "MPI.LXOR"}, {MPI_BAND, "MPI.BAND"}, {MPI_BOR, "MPI.BOR"},
                                     {MPI_BXOR, "MPI.BXOR"}};
    for (auto const& one : known)
        if (one.operation == operation) return one.name;
    return "of the program";
}

/// True if the array to send has the block of this rank, or the blocks of all, and not the one that receives.
bool is_by_send(pattern_kind const& kind) {
    return kind.send == extent::one || (kind.send == extent::ranks && kind.recv == extent::ranks);
}

/// The array that has the block of this rank, on all ranks.
array const& block_of_rank(native_arguments const& a) { return is_by_send(a.kind) ? a.send : a.recv; }

bool overlap(array const& a, array const& b) {
    auto const begin = [](array const& of) { return reinterpret_cast<std::uintptr_t>(of.region().data()); };
    return begin(a) < begin(b) + b.size() && begin(b) < begin(a) + a.size();
}

} // namespace

std::string native_arguments::text() const {
    std::string all = kind.name;
    auto const& elements = block_of_rank(*this);
    if (elements.exists()) all += ", " + std::to_string(bytes) + " bytes of " + elements.dtype();
    if (elements.order() == 'F') all += " in the order of Fortran";
    if (kind.recv == extent::window) all += ", window " + std::to_string(window);
    if (kind.has_pairs) all += ", pairs " + std::to_string(pairs);
    if (kind.has_root) all += ", root " + std::to_string(root);
    if (kind.reduces) all += std::string{", op "} + name_of(operation);
    return all;
}

description::description(std::string const& kind, py::dict values, std::string const& place)
    : kind_{&kind_of(kind)}, given_{"sonde.patterns." + kind + " (" + place + ")", std::move(values)} {}

void description::refuse(std::string const& reason) const { throw py::value_error{function() + ": " + reason}; }

native_arguments description::bind(mpi::group const& ranks) const {
    native_arguments a{ranks, *kind_};
    auto const size = static_cast<std::size_t>(ranks.size());
    if (kind_->has_pairs) {
        auto const pairs = given_.count("pairs", 1);
        if (pairs > size / 2) given_.refuse_value("pairs", "at most half of the " + std::to_string(size) + " ranks");
        a.pairs = static_cast<int>(pairs);
    }
    if (kind_->recv == extent::window) a.window = given_.count("window", 1);
    if (kind_->has_root) {
        auto const root = given_.count("root");
        if (root >= size) given_.refuse_value("root", "a rank, from 0 to " + std::to_string(size - 1));
        a.root = static_cast<int>(root);
    }
    if (kind_->reduces && !given_.is_none("op"))
        a.operation = handle_of<MPI_Op>(function() + ": op", given_["op"], "Op");
    if (a.operation == MPI_OP_NULL) refuse("op is MPI.OP_NULL");
    take_arrays(a);
    return a;
}

void description::take_arrays(native_arguments& a) const {
    auto const& kind = *kind_;
    auto const may_lack_recv = kind.has_pairs; // a ping-pong receives into its send buffer, a window into its own
    if (is_needed(kind, true, a)) a.send = array{function() + ": send", given_["send"], false};
    if (is_needed(kind, false, a) && !(may_lack_recv && given_.is_none("recv")))
        a.recv = array{function() + ": recv", given_["recv"], true};
    for (auto const& [given, key] : {std::pair{&a.send, "send"}, std::pair{&a.recv, "recv"}})
        if (given->on_device() && mpi::device_support_of(sonde::device_runtime::cuda) == mpi::device_support::no)
            refuse(std::string{key} +
                   " is on a device, whose addresses this MPI library does not take; copy it to the host");
    a.bytes = block_bytes(a);
    require_fitting_arrays(a);
    if (kind.recv == extent::window && !a.recv.exists() && a.send.on_device())
        refuse("recv is None; device memory needs window times as many bytes there");
    if (kind.recv == extent::window && !a.recv.exists()) take_own_window(a);
    if (kind.has_pairs && !a.recv.exists() && kind.recv == extent::one && a.send.read_only())
        refuse("send is read-only, and recv is None");
    if (kind.reduces && !a.send.is_typed())
        refuse("send has elements of " + a.send.dtype() + ", which MPI cannot reduce");
}

void description::take_own_window(native_arguments& a) const {
    auto const stride = a.bytes == 0 ? 1 : a.bytes;
    try {
        if (a.window > a.own_window.max_size() / stride) throw std::bad_alloc{};
        a.own_window.resize(a.window * stride);
    } catch (std::bad_alloc const&) {
        refuse("there is no memory for a window of " + std::to_string(a.window) + " messages of " +
               std::to_string(stride) + " bytes");
    }
}

std::size_t description::block_bytes(native_arguments const& a) const {
    if (kind_->recv == extent::none) return 0;
    auto const by_send = is_by_send(*kind_);
    auto const& whole = block_of_rank(a);
    auto const blocks = blocks_of(by_send ? kind_->send : kind_->recv, a);
    if (whole.count() % blocks != 0)
        refuse(std::string{by_send ? "send" : "recv"} + " has " + std::to_string(whole.count()) +
               " elements, which are no " + std::to_string(blocks) + " equal blocks");
    return whole.size() / blocks;
}

void description::require_fitting_arrays(native_arguments const& a) const {
    auto const require = [&](array const& given, char const* key, extent of) {
        auto const needed = a.bytes * blocks_of(of, a);
        if (!given.exists() || given.size() == needed || (of == extent::window && given.size() > needed)) return;
        refuse(std::string{key} + " has " + std::to_string(given.size()) + " bytes; it needs " +
               std::to_string(needed));
    };
    if (a.send.exists() && a.recv.exists() && a.send.dtype() != a.recv.dtype())
        refuse("send has elements of " + a.send.dtype() + ", and recv of " + a.recv.dtype());
    if (a.send.order() != 0 && a.recv.order() != 0 && a.send.order() != a.recv.order())
        refuse("send and recv have different orders of elements in memory, that of C and that of Fortran");
    require(a.send, "send", kind_->send);
    require(a.recv, "recv", kind_->recv);
    if (!kind_->may_overlap && a.send.exists() && a.recv.exists() && overlap(a.send, a.recv))
        refuse("send and recv overlap");
}

any_pattern make_pattern(pattern_kind const& kind, native_arguments& arguments, sonde::point at) {
    return kind.make(arguments, std::move(at));
}

void bind_patterns(py::module_& module) {
    py::class_<description>(module, "Pattern", "A native pattern, for sonde.run and sonde.compare.")
        .def(py::init<std::string const&, py::dict, std::string const&>())
        .def_property_readonly(
            "name", [](description const& of) { return of.kind().name; }, "Name of the pattern.")
        .def("__repr__", [](description const& of) { return "<" + of.function() + ">"; });
}

} // namespace binding
