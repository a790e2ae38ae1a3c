// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/environment.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/memory.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sonde::inline v0_1::mpi {

/// The allow-list of control variables that an environment records: eager limits and algorithms, by the names that Open
/// MPI, MPICH and Intel MPI give them.
inline constexpr char const* recorded_control_variables[] = {
    "*_eager_limit",    "*_EAGER_MAX_*",     "*_EAGER_THRESHOLD", "coll_tuned_use_dynamic_rules",
    "coll_*_algorithm", "*_INTRA_ALGORITHM", "I_MPI_ADJUST_*",    "I_MPI_SHM_CELL_*_SIZE"};

/// The allow-list of control variables that select a network or a protocol: of Open MPI, whose variables are empty
/// unless they are set, of MPICH, and of Intel MPI.
inline constexpr char const* transport_control_variables[] = {"pml",
                                                              "btl",
                                                              "mtl",
                                                              "osc",
                                                              "MPIR_CVAR_CH4_NETMOD",
                                                              "MPIR_CVAR_OFI_USE_PROVIDER",
                                                              "I_MPI_FABRICS",
                                                              "I_MPI_OFI_PROVIDER"};

namespace detail {

/// True if `name` matches a pattern, in which `*` stands for any number of characters, including zero.
bool matches(std::string_view pattern, std::string_view name);

/// The device in a text of MPI_Get_library_version: "ch4:ofi" of MPICH; empty for another library.
std::string device_in(std::string const& version);

/// Settings of the MPI library that select its transport: its device, and the control variables that are set.
std::vector<parameter> transport_of_library();

#ifdef MPI_T_CVAR_HANDLE_NULL

/// Properties of a control variable.
struct control_variable_info {
    std::string name{}, description{}; // the name by which a launch sets it
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_T_enum words = MPI_T_ENUM_NULL;
    int bind = 0;

    /// False if the library does not describe variable i, or only to experts, unless the environment sets it.
    bool read(int i);
    /// Value of a variable whose text in MPI_T is empty.
    std::string value_elsewhere() const;
};

#endif

/// Word or words after a key in a description of Intel MPI, which has " @Alias:# I_MPI_FABRICS @Default:# shm:ofi" at
/// its end, in any order; empty without the key.
std::string_view words_after(std::string_view key, std::string_view description);

} // namespace detail

/// Names and values of the MPI library's control variables (MPI 4.0, 15.3) whose names match one of the patterns, in
/// the library's order. In a pattern `*` stands for any number of characters. Variables that belong to an object, such
/// as a communicator, are left out, and those that Intel MPI has for experts, unless they are set. Intel MPI's have the
/// names by which a launch sets them, I_MPI_*; where its MPI_T has no value, the environment of this process or the
/// library's description has it. Empty for a library without MPI_T. Not collective.
[[nodiscard]] std::vector<parameter> control_variables([[maybe_unused]] std::span<char const* const> patterns);

/// Returns `sonde::environment_of` with the control variables of rank 0 on every rank, and with the transport of the
/// MPI library and the kinds of memory that it takes (`memory_alloc_kinds`) on rank 0. `patterns` selects the variables
/// to record (see `control_variables`). Without patterns the MPI library's tool interface is not started, and its
/// transport is not recorded; the start takes 0.2 s in Open MPI. Collective over the group. Throws mpi::error.
[[nodiscard]] static inline environment
environment_of(group const& ranks, int argc = 0, char const* const* argv = nullptr,
               std::span<char const* const> patterns = recorded_control_variables) {
    auto e = sonde::environment_of(ranks, argc, argv);
    std::string all; // a name and a value, line by line
    if (ranks.rank() == 0 && !patterns.empty()) {
        for (auto const& variable : control_variables(patterns)) all += variable.name + '\n' + variable.text + '\n';
        auto selected = detail::transport_of_library();
        if (auto const kinds = memory_alloc_kinds(ranks.comm()); !kinds.empty())
            selected.emplace_back("mpi_memory_alloc_kinds", kinds);
        std::erase_if(e.transport, [&](parameter const& p) { // the library tells it, too
            return std::any_of(selected.begin(), selected.end(), [&](auto const& s) { return s.name == p.name; });
        });
        e.transport.insert(e.transport.begin(), selected.begin(), selected.end());
    }
    sonde::broadcast(ranks, all);
    for (std::size_t at = 0; at != all.size();) {
        auto const middle = all.find('\n', at), end = all.find('\n', middle + 1);
        e.control_variables.emplace_back(all.substr(at, middle - at), all.substr(middle + 1, end - middle - 1));
        at = end + 1;
    }
    return e;
}

} // namespace sonde::mpi

#if SONDE_DEFINITIONS

namespace sonde::inline v0_1::mpi {

namespace detail {

SONDE_INLINE bool matches(std::string_view pattern, std::string_view name) {
    if (pattern.empty()) return name.empty();
    if (pattern.front() == '*')
        return matches(pattern.substr(1), name) || (!name.empty() && matches(pattern, name.substr(1)));
    return !name.empty() && pattern.front() == name.front() && matches(pattern.substr(1), name.substr(1));
}

#ifdef MPI_T_CVAR_HANDLE_NULL

SONDE_INLINE bool control_variable_info::read(int i) {
    char own_name[256] = "", text[16384] = "";
    int length = sizeof own_name, text_length = sizeof text, verbosity = 0, scope = 0;
    if (MPI_T_cvar_get_info(i, own_name, &length, &verbosity, &type, &words, text, &text_length, &bind, &scope) !=
        MPI_SUCCESS)
        return false;
    description = text;
    auto const of_launches = words_after("@Alias:# ", description);
    name = of_launches.empty() ? own_name : of_launches;
    return words_after("@Verbosity:# ", description).empty() || std::getenv(name.c_str()) != nullptr;
}

SONDE_INLINE std::string control_variable_info::value_elsewhere() const {
    if (!name.starts_with("I_MPI_")) return "";
    auto const* const set = std::getenv(name.c_str());
    auto const usual = words_after("@Default:# ", description);
    return set != nullptr ? set : std::string{usual == "not defined" || usual == "\"\"" ? "" : usual};
}

/// Number of control variables; 0 if the library has none. The tool information interface is started once and not
/// finalized, because MPICH 4.0 does not survive a second start. The start requests MPI's current thread level, because
/// Open MPI 4.1 switches to the level that is requested here.
SONDE_INLINE int number_of_control_variables() {
    static bool const available = [] {
        int level = MPI_THREAD_SINGLE, provided = 0;
        if (not_running_reason(false) == nullptr) MPI_Query_thread(&level);
        return MPI_T_init_thread(level, &provided) == MPI_SUCCESS;
    }();
    int n = 0;
    return available && MPI_T_cvar_get_num(&n) == MPI_SUCCESS ? n : 0;
}

/// Name of a value of an enumeration; empty if the value has no name.
SONDE_INLINE std::string word_of(MPI_T_enum words, int value) {
    int known = 0, item = 0, length = 0;
    char text[256] = "";
    length = sizeof text;
    if (MPI_T_enum_get_info(words, &known, text, &length) != MPI_SUCCESS) return "";
    for (int i = 0; i != known; ++i) {
        length = sizeof text;
        if (MPI_T_enum_get_item(words, i, &item, text, &length) == MPI_SUCCESS && item == value) return text;
    }
    return "";
}

/// The value as text: the text itself, the name of an enumeration value, "true" or "false", or the first number. Empty
/// for other types.
SONDE_INLINE std::string control_value(MPI_T_cvar_handle handle, int count, control_variable_info const& about) {
    std::string raw(8 * (static_cast<std::size_t>(count) + 1), '\0'); // no type of a variable is longer
    if (MPI_T_cvar_read(handle, raw.data()) != MPI_SUCCESS) return "";
    auto const first = [&](auto number) {
        std::memcpy(&number, raw.data(), sizeof number);
        return number;
    };
    if (about.type == MPI_CHAR) return raw.substr(0, raw.find('\0'));
    if (about.type == MPI_INT) {
        auto const word = about.words == MPI_T_ENUM_NULL ? "" : word_of(about.words, first(0));
        return word.empty() ? std::to_string(first(0)) : word;
    }
    if (about.type == MPI_C_BOOL) return raw.front() != 0 ? "true" : "false";
    if (about.type == MPI_UNSIGNED) return std::to_string(first(0u));
    if (about.type == MPI_UNSIGNED_LONG || about.type == MPI_UNSIGNED_LONG_LONG) return std::to_string(first(0ull));
    if (about.type == MPI_COUNT) return std::to_string(first(MPI_Count{}));
    return about.type == MPI_DOUBLE ? std::to_string(first(0.0)) : "";
}

#endif

SONDE_INLINE std::string_view words_after(std::string_view key, std::string_view description) {
    auto const found = description.find(key);
    if (found == description.npos) return {};
    auto const rest = description.substr(found + key.size());
    return rest.substr(0, std::min(rest.find(" @"), rest.find_last_not_of(' ') + 1));
}

SONDE_INLINE std::string device_in(std::string const& version) {
    constexpr std::string_view key = " Device"; // "MPICH Device:    \tch4:ofi"
    auto const found = version.find(key);
    auto const begin = found == version.npos ? found : version.find_first_not_of(" :\t", found + key.size());
    return begin == version.npos ? "" : version.substr(begin, version.find_first_of(" \t\n", begin) - begin);
}

SONDE_INLINE std::vector<parameter> transport_of_library() {
    auto selected = control_variables(transport_control_variables);
    auto const device =
        device_in(text_from<MPI_MAX_LIBRARY_VERSION_STRING>(MPI_Get_library_version, "MPI_Get_library_version"));
    if (!device.empty()) selected.emplace(selected.begin(), "device", device);
    return selected;
}

} // namespace detail

SONDE_INLINE std::vector<parameter> control_variables([[maybe_unused]] std::span<char const* const> patterns) {
    std::vector<parameter> found;
#ifdef MPI_T_CVAR_HANDLE_NULL
    for (int i = 0, all = detail::number_of_control_variables(); i != all; ++i) {
        detail::control_variable_info about;
        if (!about.read(i) || about.bind != MPI_T_BIND_NO_OBJECT) continue;
        bool wanted = false;
        for (auto const* pattern : patterns) wanted = wanted || detail::matches(pattern, about.name);
        detail::owned_handle<MPI_T_cvar_handle> handle{MPI_T_CVAR_HANDLE_NULL, MPI_T_cvar_handle_free};
        int count = 0;
        if (!wanted || MPI_T_cvar_handle_alloc(i, nullptr, handle.address(), &count) != MPI_SUCCESS) continue;
        auto value = detail::control_value(handle.get(), count, about);
        if (value.empty()) value = about.value_elsewhere();
        for (auto& c : value)
            if (c == '\n') c = ' ';
        if (!value.empty()) found.emplace_back(about.name, value);
    }
#endif
    return found;
}

} // namespace sonde::mpi

#endif
