// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/hang/shared_record.hpp"
#include "tools/replay/trace/event.hpp"

#include <sonde/probe/live_scope.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

// The page of shared memory in which the recorder keeps where a rank is: a file of fixed size, which `sonde-replay
// hang` maps. All of it but the counters are records that are whole when they are read. Handles of MPI are keys, for
// which the page has tables: so a call writes its arguments as they are, and searches nothing.

namespace tools::replay {

/// What a call does for the object that it names.
enum call_role : std::uint32_t {
    collective_role = 1,  // of all ranks of the object: it has a number there
    window_role = 2,      // the object is a window
    any_request_role = 4, // the call waits for one of its requests
};

/// The arguments of a call, as they are given to it. Its beginning is written in each call, the requests if it has
/// some.
struct page_call {
    std::uint64_t number = 0; // of the calls of this thread, from 1
    std::int64_t begin = 0;   // of the steady clock, in nanoseconds
    std::uint64_t site = 0;   // return address
    std::uint64_t object = 0; // communicator or window
    std::uint64_t type = 0, recv_type = 0, operation = 0;
    std::int64_t count = absent, recv_count = absent;
    std::int32_t call = absent, to = absent, tag = absent;
    std::int32_t from = absent, recv_tag = absent, root = absent;
    std::uint32_t roles = 0;
    std::uint32_t request_count = 0;
    static constexpr std::size_t most_requests = 16;
    std::uint64_t requests[most_requests]; // the first of them
};
constexpr std::size_t words_without_requests = offsetof(page_call, requests) / sizeof(std::uint64_t);

/// Where a thread is. `number` is twice the number of its last call, and less by one while the call is under way.
struct page_thread {
    std::atomic<std::uint64_t> number;
    std::atomic<std::uint64_t> progress; // calls that were more than a test that found nothing
    std::atomic<std::int64_t> end;       // of the last call of those
    shared_record<page_call> call;
};

/// A communicator, or a window. `ranks` are a part of the page's texts.
struct page_object {
    std::uint64_t key = 0;
    std::uint32_t is_window = 0;
    std::int32_t rank = 0;
    std::uint32_t ranks_begin = 0, ranks_size = 0;
};

/// A collective that is over on this rank, and its number on its object.
struct page_collective {
    std::uint64_t number = 0;
    std::uint64_t object = 0; // index
    page_call call;
};

/// A message, or a nonblocking collective, that was begun. `request`: of a nonblocking one. `number`: of a collective.
struct page_message {
    std::uint64_t request = 0;
    std::uint64_t number = 0;
    page_call call;
};

/// A datatype's bytes, or an operation's name.
struct page_type {
    std::uint64_t key = 0;
    std::int64_t size = 0;
};
struct page_operation {
    std::uint64_t key = 0;
    char name[24] = {};
};

/// The file. Rings: of the n-th entry from 0 the place is n modulo the size.
struct rank_page {
    static constexpr std::uint64_t this_layout = 0x736f6e6465'0002; // "sonde" and the version of this file

    static constexpr std::size_t most_calls = 384, name_size = 32, most_threads = 8, most_objects = 256;
    static constexpr std::size_t most_collectives = 32, most_messages = 64, most_types = 128, most_operations = 16;

    std::atomic<std::uint64_t> layout; // written last
    std::int32_t rank, size;
    char calls[most_calls][name_size];
    page_thread threads[most_threads];
    shared_record<page_object> objects[most_objects];
    std::atomic<std::uint64_t> collectives_on[most_objects]; // that are over
    std::atomic<std::uint64_t> collective_count, message_count, type_count;
    shared_record<page_collective> collectives[most_collectives];
    shared_record<page_message> messages[most_messages];
    shared_record<page_type> types[most_types];
    shared_record<page_operation> operations[most_operations];
    char texts[std::size_t{1} << 15];
};
static_assert(std::is_trivially_destructible_v<rank_page> && std::atomic<std::uint64_t>::is_always_lock_free);

/// Behind the page its file has the scopes of the application's probes. The place is one to which memory can be mapped,
/// whose pages have 64 KiB on some machines: probes begin to count before the file is there, and go on after its end.
constexpr std::size_t scopes_offset = std::size_t{1} << 17;
constexpr std::size_t page_file_size = scopes_offset + sizeof(sonde::scope_table);
constexpr std::size_t scopes_size = offsetof(sonde::scope_table, passes); // without single passes, which it has none of
static_assert(sizeof(rank_page) <= scopes_offset);

/// The folder of the pages, unless a setting names another one.
constexpr auto default_page_folder = "/dev/shm";

/// "sonde-JOB-3": the name of the file. `job` has no slash.
inline std::string page_name(std::string const& job, int rank) { return "sonde-" + job + '-' + std::to_string(rank); }

} // namespace tools::replay
