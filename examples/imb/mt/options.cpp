// SPDX-License-Identifier: BSL-1.0
#include "options.hpp"

#include "../../common/numbers.hpp"
#include "../own/parse.hpp"
#include "../own/values.hpp"

#include <climits>
#include <cstdlib>
#include <thread>

namespace imb::mt {

namespace {

using text = std::string const&;

template <class N>
bool set_number(N& into, text t, N least, N most = INT_MAX) {
    auto const found = common::number<N>(t, least, most);
    if (found) into = *found;
    return found.has_value();
}

bool set_barrier(options& into, text t) {
    into.meet = t == "off" ? barrier::off : t == "on" ? barrier::of_library : barrier::disseminated;
    return t == "on" || t == "off" || t == "special";
}

bool set_allocation(options& into, text t) {
    into.allocated = t == "serial" ? allocate::serial : t == "parallel" ? allocate::parallel : allocate::continuous;
    return t == "serial" || t == "parallel" || t == "continuous";
}

bool set_type(options& into, text t) {
    into.type = t == "int" ? datatype::integer : datatype::character;
    return t == "int" || t == "char";
}

bool add_counts(options& into, text t) {
    for (auto const& part : common::split(t, ','))
        if (!set_number<std::size_t>(into.counts.emplace_back(), part, 0)) return false;
    return true;
}

bool set_alignment(options& into, text t) {
    return set_number<std::size_t>(into.alignment, t, 1, std::size_t{1} << 30) &&
           (into.alignment & (into.alignment - 1)) == 0;
}

constexpr auto names = "names of benchmarks with commas between; -list prints them";
constexpr auto whole = "a whole number from 0 to 2147483647";

constexpr own::option<options> table[] = {
    {"help", "", "print this; -help OPTION: explain one", "", [](options&, text) { return true; }},
    {"list", "", "print the names of the benchmarks", "", [](options& o, text) { return o.wanted = wish::list, true; }},
    {"thread_level", "LEVEL",
     "single, funneled, serialized: one thread; multiple: OMP_NUM_THREADS, or one a processor (single)",
     "single, funneled, serialized, multiple", [](options& o, text t) { return set_level(o, t); }},
    {"input", "FILE", "run the benchmarks that it names, one a line, # before what is none", "a file of names",
     [](options& o, text t) { return add(o.names, names_in(t)); }},
    {"include", "NAME,...", "run these first, beside the default list", names,
     [](options& o, text t) { return set_names(o.included, t); }},
    {"exclude", "NAME,...", "do not run these", names, [](options& o, text t) { return set_names(o.excluded, t); }},
    {"stride", "N", "ranks from a partner, or a neighbour in a ring, to the next; 0: half of them (0)", whole,
     [](options& o, text t) { return set_number(o.stride, t, 0); }},
    {"warmup", "N", "repetitions before the clock (100)", whole,
     [](options& o, text t) { return set_number<std::size_t>(o.warm_ups, t, 0); }},
    {"repeat", "N", "repetitions (1000)", "a whole number from 1 to 2147483647",
     [](options& o, text t) { return set_number<std::size_t>(o.repeats, t, 1); }},
    {"window_size", "N", "messages of a window: UniBandMT, BiBandMT (64)", "a whole number from 1 to 1073741823",
     [](options& o, text t) { return set_window(o, t); }},
    {"barrier", "on|off|special", "before measuring, and between collectives; special: messages (on)",
     "on, off, special", set_barrier},
    {"count", "N,...", "elements of a message; may be repeated (1,2,4,8)",
     "whole numbers from 0 to 2147483647 with commas between", add_counts},
    {"malloc_align", "BYTES", "where buffers begin (64)", "a power of 2 from 1 to 1073741824", set_alignment},
    {"malloc_algo", "ALGORITHM", "buffers are made by one thread, continuous: in a block; or in parallel (serial)",
     "serial, continuous, parallel", set_allocation},
    own::check_option<options>,
    {"noheader", "", "no banner", "", [](options& o, text) { return o.header = false, true; }},
    {"datatype", "TYPE", "int or char (int)", "int, char", set_type},
    own::report_option<options>,
};

void refuse_together(options const& asked) {
    if (asked.check && asked.type != datatype::integer)
        throw common::refusal{"Only int data type is supported with check option [-check -datatype]"};
    if (asked.allocated != allocate::serial && asked.level != threading::multiple)
        throw common::refusal{"-malloc_algo continuous and parallel are for several threads: -thread_level multiple"};
}

} // namespace

int options::threads() const {
    if (level != threading::multiple) return 1;
    auto const* const asked = std::getenv("OMP_NUM_THREADS");
    auto const outermost = asked == nullptr ? std::string{} : common::split(asked, ',').front();
    auto const processors = static_cast<int>(std::thread::hardware_concurrency());
    return common::number<int>(outermost, 1, 1024).value_or(processors > 0 ? processors : 1);
}

options parse(int argc, char const* const* argv) {
    auto found = own::parse<options>(table, argc, argv, spelling::exact);
    if (found.counts.empty()) found.counts = {1, 2, 4, 8};
    if (found.wanted == wish::measure) refuse_together(found);
    return found;
}

std::string usage(options const& asked) { return own::usage<options>("IMB-MT", table, asked); }

} // namespace imb::mt
