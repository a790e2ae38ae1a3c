// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/recorder/recorder.hpp"

#include "tools/replay/predefined_operations.hpp"
#include "tools/replay/recorder/call_site.hpp"
#include "tools/replay/recorder/checkpoints.hpp"
#include "tools/replay/recorder/datatype_construction.hpp"
#include "tools/replay/recorder/entry_points.hpp"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace tools::replay {

namespace {

constexpr std::size_t bytes_of_entry = 100; // of a table and of the map of its numbers, without the text or the list

/// The number that the resource manager gave to the job, in front of that of the process of rank 0.
std::string own_job_name() {
    std::string found;
    for (auto const* const name : {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "FLUX_JOB_ID"})
        if (auto const* const id = std::getenv(name); id != nullptr && found.empty()) found = std::string{id} + '.';
    found += std::to_string(getpid());
    auto const is_other = [](unsigned char c) { return std::isalnum(c) == 0 && c != '.'; };
    std::replace_if(found.begin(), found.end(), is_other, '_');
    return found;
}

/// The usual types: a call that hangs may be the first one of its type.
void show_types(own_page& page) {
    for (auto const type : {MPI_CHAR, MPI_BYTE, MPI_INT, MPI_UNSIGNED, MPI_LONG, MPI_UNSIGNED_LONG, MPI_FLOAT,
                            MPI_DOUBLE, MPI_INT64_T, MPI_UINT64_T, MPI_INT32_T, MPI_C_BOOL}) {
        int size = 0;
        PMPI_Type_size(type, &size);
        page.add_type(key_of(type), size);
    }
}

} // namespace

sonde::scope_table* scopes_of_process() {
    static auto* const table = [] {
        auto* const memory = mmap(nullptr, sizeof(sonde::scope_table), PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); // of zeros, as the table is at first
        auto* const made = memory == MAP_FAILED ? nullptr : static_cast<sonde::scope_table*>(memory);
        if (made != nullptr) made->layout = sonde::scope_table::this_layout;
        return made;
    }();
    return table;
}

/// A recording that leaves calls out has no page: the numbers of collectives would differ between ranks.
void recorder::make_page() {
    auto const& folder = settings_.page_folder;
    char job[64] = {};
    if (rank_ == 0) own_job_name().copy(job, sizeof job - 1);
    SONDE_LIBRARY_CALL(Bcast)(job, sizeof job, MPI_CHAR, 0, comm_);
    auto const is_whole = !settings_.from && !settings_.to && !settings_.between_marks;
    if (!is_whole || !records_this_rank() || folder == "none") return;
    page_ = own_page::make(folder.value_or(default_page_folder), job, rank_, size_, call_names());
    if (page_ == nullptr) {
        if (folder) std::fprintf(stderr, "libsonde-trace: rank %d: no page in %s\n", rank_, folder->c_str());
        return;
    }
    if (auto* const scopes = scopes_of_process()) page_->show(*scopes);
    show_types(*page_);
    std::size_t place = 0;
    for (auto const& one : predefined_operations()) page_->add_operation(place++, key_of(one.op), one.name);
}

/// The folder in which the application was started: it may go to another one.
void recorder::make_monitor() {
    if (settings_.monitor.empty() || !records_this_rank()) return;
    if (is_simulated) throw std::invalid_argument{"SONDE_TRACE_MONITOR: there is no monitor of simulated ranks"};
    std::error_code failed;
    auto const whole = std::filesystem::absolute(settings_.monitor, failed);
    monitor_ = std::make_unique<sonde::monitor>(failed ? settings_.monitor : whole.string(), rank_,
                                                sonde::monitor_options{.interval = settings_.monitor_interval});
}

std::uint64_t recorder::end_collective(page_call const& call) {
    auto const is_window = (call.roles & window_role) != 0;
    auto const id = (is_window ? windows_ : communicators_).find(call.object);
    return id ? page_->end_collective(*id, is_window, call) : 0;
}

void* next_function(char const* name) {
    auto* const found = dlsym(RTLD_NEXT, name);
    if (found == nullptr) {
        std::fprintf(stderr, "libsonde-trace: no library after it has %s\n", name);
        std::abort();
    }
    return found;
}

recorder::recorder(trace_settings settings, int thread_level, std::string command, MPI_Comm comm)
    : settings_{std::move(settings)}, command_{std::move(command)}, lock_{thread_level == MPI_THREAD_MULTIPLE},
      comm_{comm}, is_marked_{!settings_.between_marks} {
    PMPI_Comm_rank(comm_, &rank_);
    PMPI_Comm_size(comm_, &size_);
    choose_output();
    if (rank_ == 0 && !settings_.records_any_of(size_))
        std::fprintf(stderr, "libsonde-trace: SONDE_TRACE_RANKS: nothing is recorded of a program of %d ranks\n",
                     size_);
    tables_.calls = call_names();
    if (!is_simulated) make_page();
    make_monitor();
    clocks_.emplace(comm_);
    origin_ = record_clock::now();
    auto const has_checkpoints = settings_.checkpoint.count() != 0 && records_this_rank();
    next_checkpoint_ = has_checkpoints ? origin_ + settings_.checkpoint : record_clock::time_point::max();
    if (has_checkpoints && !is_simulated) checkpoints_ = std::make_unique<checkpoints>(*this);
}

recorder::~recorder() = default;

recorded_thread& recorder::new_thread() {
    enter();
    auto const number = static_cast<int>(threads_.size());
    threads_.push_back(std::make_unique<recorded_thread>(number, settings_.memory, record_clock::now(),
                                                         page_ == nullptr ? nullptr : page_->thread(number)));
    auto& added = *threads_.back();
    if (monitor_ != nullptr) added.monitored.emplace(monitor_->table(), call_names());
    leave();
    return added;
}

bool recorder::takes(std::size_t bytes) {
    auto const has_room = table_bytes_ + bytes <= settings_.memory;
    if (has_room) table_bytes_ += bytes;
    else is_short_of_memory_ = true;
    return has_room;
}

std::int32_t recorder::site(void const* return_address) {
    std::array<void const*, most_frames> memory;
    auto const frames = frames_from(return_address, std::span{memory}.first(settings_.frames));
    std::uint64_t key = 0; // of one frame its address
    for (auto const* const frame : frames) {
        auto const address = reinterpret_cast<std::uintptr_t>(frame);
        key = key == 0 ? address : mixed(key, address);
    }
    if (auto const known = sites_.find(key)) return static_cast<std::int32_t>(*known);
    auto text = site_text(frames);
    if (!takes(bytes_of_entry + text.size())) return 0;
    auto const id = static_cast<std::int32_t>(tables_.sites.size());
    sites_.add(key, id);
    tables_.sites.push_back(std::move(text));
    return id;
}

std::int32_t recorder::type(MPI_Datatype type) {
    if (type == MPI_DATATYPE_NULL) return absent;
    if (auto const known = types_.find(key_of(type))) return static_cast<std::int32_t>(*known);
    datatype found{.name = construction_of(type)};
    MPI_Count size = 0, begin = 0, extent = 0;
    PMPI_Type_size_x(type, &size);
    PMPI_Type_get_extent_x(type, &begin, &extent);
    found.size = size;
    found.extent = extent;
    auto const hash = mixed(mixed(std::hash<std::string>{}(found.name), static_cast<std::uint64_t>(size)),
                            static_cast<std::uint64_t>(extent));
    auto& all = tables_.types;
    auto const is_equal = [&](datatype const& other) {
        return other.name == found.name && other.size == found.size && other.extent == found.extent;
    };
    auto id = equal_types_.find_if(hash, [&](std::int64_t i) { return is_equal(all[static_cast<std::size_t>(i)]); });
    if (!id) {
        if (!takes(bytes_of_entry + sizeof found + found.name.size())) return 0;
        id = static_cast<std::int64_t>(all.size());
        equal_types_.add(hash, *id);
        all.push_back(std::move(found));
    }
    types_.add(key_of(type), *id);
    if (page_ != nullptr) page_->add_type(key_of(type), size);
    return static_cast<std::int32_t>(*id);
}

std::int32_t recorder::operation(MPI_Op op) {
    if (auto const known = operations_.find(key_of(op))) return static_cast<std::int32_t>(*known);
    auto const names = predefined_operations();
    auto const known = std::find_if(names.begin(), names.end(), [&](auto& n) { return n.op == op; });
    auto const* const name = known == names.end() ? "user-defined" : known->name;
    auto& all = tables_.operations;
    auto const id = static_cast<std::int32_t>(std::find(all.begin(), all.end(), name) - all.begin());
    if (static_cast<std::size_t>(id) == all.size()) all.emplace_back(name);
    if (known != names.end()) operations_.add(key_of(op), id); // the handle of another one may be used again
    return id;
}

std::int32_t recorder::list(std::vector<std::int64_t> const& numbers) {
    auto hash = mixed(0, numbers.size());
    for (auto const n : numbers) hash = mixed(hash, static_cast<std::uint64_t>(n));
    auto& all = tables_.lists;
    auto const known =
        lists_.find_if(hash, [&](std::int64_t id) { return all[static_cast<std::size_t>(id)] == numbers; });
    if (known) return static_cast<std::int32_t>(*known);
    if (!takes(bytes_of_entry + numbers.size() * sizeof numbers[0])) return 0;
    auto const id = static_cast<std::int32_t>(all.size());
    all.push_back(numbers);
    lists_.add(hash, id);
    return id;
}

constexpr std::int64_t thread_unit = std::int64_t{1} << 48; // a request's number, and above it that of its thread

void recorder::start(recorded_thread& by, MPI_Request request) {
    auto const number = by.started++;
    if (request == MPI_REQUEST_NULL) return;
    requests_.add(key_of(request), by.number * thread_unit + number);
    ++by.open;
}

std::int64_t recorder::keep(MPI_Request request) {
    auto const number = free_numbers_.empty() ? kept_++ : free_numbers_.extract(free_numbers_.begin()).value();
    requests_.add(key_of(request), -1 - number);
    return -1 - number;
}

std::int64_t recorder::age(recorded_thread& by, MPI_Request request, bool completes) {
    auto const found = requests_.find(key_of(request));
    if (!found || *found < 0) return found.value_or(0);
    if (completes) static_cast<void>(requests_.take(key_of(request)));
    if (*found / thread_unit != by.number) return 0;
    if (completes) {
        by.candidates.complete(*found % thread_unit);
        --by.open;
    }
    return by.started - *found % thread_unit;
}

std::int32_t recorder::candidates(recorded_thread& by, void const* site, std::span<MPI_Request const> waited) {
    std::vector<std::int64_t> numbers, all;
    for (auto const request : waited) {
        if (request == MPI_REQUEST_NULL) continue;
        auto const number = age(by, request, false);
        if (number == 0) return absent;
        if (number < 0) all.push_back(number);
        else numbers.push_back(by.started - number);
    }
    std::sort(numbers.begin(), numbers.end());
    auto const has_shared = std::adjacent_find(numbers.begin(), numbers.end()) != numbers.end();
    if (has_shared) return absent; // a library has one request for all messages that are complete at once
    auto const is_all = all.empty() && static_cast<std::int64_t>(numbers.size()) == by.open;
    auto const* const first = numbers.empty() ? &numbers : by.candidates.of(site, numbers);
    if (first == nullptr || is_all) return absent;
    for (auto const number : *first) all.push_back(by.started - number);
    return all.empty() ? absent : list(all);
}

void recorder::free_persistent(MPI_Request request) {
    auto const found = requests_.find(key_of(request));
    if (!found || *found >= 0) return;
    static_cast<void>(requests_.take(key_of(request)));
    free_numbers_.insert(-1 - *found);
}

} // namespace tools::replay
