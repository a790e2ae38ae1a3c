// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/c/sonde.h>
#include <sonde/error.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/report/text.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

// Exceptions as statuses.
//
// Handles of the C interface: numbers, each of which is given to one object only. A language whose assignment copies a
// handle, and a caller who keeps one for too long, is told that the object was freed: an address would be that of
// another object.

namespace sonde::inline v0_1::detail::c {

/// A function of the application returned a code other than 0.
class call_error : public std::runtime_error {
public:
    /// `what`: the function.
    call_error(std::string const& what, int code)
        : std::runtime_error{"sonde: " + what + " returned " + std::to_string(code)}, code_{code} {}
    int code() const noexcept { return code_; }

private:
    int code_;
};

/// Copies as much of a text as fits, with its end. Returns the length of the whole text.
inline std::size_t copy_text(std::string_view from, char* to, std::size_t size) {
    if (size != 0) to[from.copy(to, size - 1)] = '\0';
    return from.size();
}

/// Fills `error`, which may be null, and returns its status.
inline sonde_status failed(sonde_error* error, sonde_status status, int code, char const* message) {
    if (error == nullptr) return status;
    error->status = static_cast<int>(status);
    error->code = code;
    copy_text(message, error->message, sizeof error->message);
    return status;
}

/// The status of the exception that is being handled.
inline sonde_status status_of_exception(sonde_error* error) {
    try {
        throw;
    } catch (sonde_error const& e) { // of another rank
        return failed(error, static_cast<sonde_status>(e.status), e.code, e.message);
    } catch (call_error const& e) {
        return failed(error, SONDE_CALL_FAILED, e.code(), e.what());
    } catch (other_rank_error const& e) {
        return failed(error, SONDE_OTHER_RANK, 0,
                      ("sonde: the measurement failed on rank " + std::to_string(e.rank())).c_str());
    } catch (mpi::error const& e) {
        return failed(error, SONDE_MPI_ERROR, e.code(), e.what());
    } catch (std::system_error const& e) {
        return failed(error, SONDE_FILE_ERROR, e.code().value(), e.what());
    } catch (std::invalid_argument const& e) {
        return failed(error, SONDE_INVALID_ARGUMENT, 0, e.what());
    } catch (std::logic_error const& e) {
        return failed(error, SONDE_INVALID_STATE, 0, e.what());
    } catch (std::bad_alloc const&) {
        return failed(error, SONDE_NO_MEMORY, 0, "sonde: out of memory");
    } catch (std::exception const& e) {
        return failed(error, SONDE_FAILED, 0, e.what());
    } catch (...) {
        return failed(error, SONDE_FAILED, 0, "sonde: an exception of unknown type");
    }
}

/// The status of the exception that f throws; SONDE_SUCCESS without an exception. The value of errno is restored.
template <class F>
sonde_status guarded(sonde_error* error, F f) noexcept {
    auto const before = errno;
    auto status = SONDE_SUCCESS;
    try {
        f();
    } catch (...) {
        status = status_of_exception(error);
    }
    errno = before;
    return status;
}

/// Throws std::invalid_argument for a null pointer.
inline void require(void const* pointer, char const* name) {
    if (pointer == nullptr) throw std::invalid_argument{std::string{"sonde: "} + name + " is NULL"};
}

/// The end of a message about a wrong number: ": 1.5".
inline std::string value_of(double number) { return ": " + sonde::detail::shortest(number); }
inline std::string value_of(std::int64_t number) { return ": " + std::to_string(number); }

/// A name of the caller in a message, which has no room for a long one.
inline std::string shortened(std::string const& name) { return name.size() <= 100 ? name : name.substr(0, 97) + "..."; }

/// Describes the size of a struct that is not `expected`; empty if it is.
inline std::string size_problem(std::size_t size, std::size_t expected, char const* type, char const* macro) {
    if (size == expected) return "";
    return std::string{"sonde: "} + type + " has size " + std::to_string(size) + " and not " +
           std::to_string(expected) + ": initialize it by " + macro + " of the header of this library, version " +
           SONDE_VERSION;
}

inline void require_size(std::size_t size, std::size_t expected, char const* type, char const* macro) {
    if (auto const wrong = size_problem(size, expected, type, macro); !wrong.empty())
        throw std::invalid_argument{wrong};
}

/// The objects of one type, by their handles.
template <class Object>
class handle_table {
public:
    /// The table is never destroyed: at the end of the program, its objects are no longer of use to MPI.
    static handle_table& instance() {
        static auto& all = *new handle_table;
        return all;
    }

    Object* add(std::shared_ptr<Object> object) {
        std::lock_guard const lock{mutex_};
        auto* const handle = reinterpret_cast<Object*>(++last_ * alignof(std::max_align_t));
        objects_.emplace(handle, std::move(object));
        return handle;
    }

    /// Null for the handle of no object.
    Object* find(Object const* handle) const {
        std::lock_guard const lock{mutex_};
        auto const found = objects_.find(handle);
        return found == objects_.end() ? nullptr : found->second.get();
    }

    /// The object, which the table no longer has; null for the handle of no object.
    std::shared_ptr<Object> remove(Object const* handle) {
        std::lock_guard const lock{mutex_};
        auto const found = objects_.extract(handle);
        return found ? std::move(found.mapped()) : nullptr;
    }

    /// Removes the objects for which `condition` is true.
    template <class Condition>
    void remove_if(Condition condition) {
        std::vector<std::shared_ptr<Object>> removed; // which are destroyed without the lock
        std::lock_guard const lock{mutex_};
        std::erase_if(objects_, [&](auto& each) {
            auto const is_removed = condition(std::as_const(*each.second));
            if (is_removed) removed.push_back(std::move(each.second));
            return is_removed;
        });
    }

private:
    mutable std::mutex mutex_;
    std::unordered_map<Object const*, std::shared_ptr<Object>> objects_;
    std::uintptr_t last_ = 0;
};

/// The handle of a new object.
template <class Object, class... Arguments>
Object* make_handle(Arguments&&... arguments) {
    return handle_table<Object>::instance().add(std::make_shared<Object>(std::forward<Arguments>(arguments)...));
}

/// The object of a handle; null for the handle of no object.
template <class Object>
Object* find(Object const* handle) {
    return handle_table<Object>::instance().find(handle);
}

/// The message about the handle of no object. `Object::noun` names the object.
template <class Object>
std::string freed_message() {
    return std::string{"sonde: "} + Object::noun + " has been freed, or was never made";
}

/// The object of a handle. Throws std::invalid_argument for null, and for the handle of no object.
template <class Object>
Object& checked(Object const* handle) {
    require(handle, Object::noun);
    if (auto* const object = find(handle)) return *object;
    throw std::invalid_argument{freed_message<Object>()};
}

/// The object of a handle, for a collective function. Throws as `checked` does, and std::logic_error without MPI.
template <class Object>
Object& checked_collective(Object const* handle) {
    auto& object = checked(handle);
    mpi::detail::require_running(true);
    return object;
}

/// Deletes the object of a handle, and sets the handle to null. A null address and the handle of no object are ignored.
template <class Object>
void destroy(Object** handle) {
    if (handle != nullptr) handle_table<Object>::instance().remove(std::exchange(*handle, nullptr));
}

} // namespace sonde::detail::c
