// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/c/status.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

// Handles of the C interface: numbers, each of which is given to one object only. A language whose assignment copies a
// handle, and a caller who keeps one for too long, is told that the object was freed: an address would be that of
// another object.

namespace sonde::inline v0_1::detail::c {

/// The objects of one type, by their handles.
template <class Object, class Handle>
class handle_table {
public:
    /// The table is never destroyed: at the end of the program, its objects are no longer of use to MPI.
    static handle_table& instance() {
        static auto& all = *new handle_table;
        return all;
    }

    Handle* add(std::shared_ptr<Object> object) {
        std::lock_guard const lock{mutex_};
        auto* const handle = reinterpret_cast<Handle*>(++last_ * alignof(std::max_align_t));
        objects_.emplace(handle, std::move(object));
        return handle;
    }

    /// Null for the handle of no object.
    Object* find(Handle const* handle) const {
        std::lock_guard const lock{mutex_};
        auto const found = objects_.find(handle);
        return found == objects_.end() ? nullptr : found->second.get();
    }

    /// The object, which the table no longer has; null for the handle of no object.
    std::shared_ptr<Object> remove(Handle const* handle) {
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
    std::unordered_map<Handle const*, std::shared_ptr<Object>> objects_;
    std::uintptr_t last_ = 0;
};

/// The object of a handle; null for the handle of no object.
template <class Object, class Handle>
Object* find(Handle const* handle) {
    return handle == nullptr ? nullptr : handle_table<Object, Handle>::instance().find(handle);
}

/// The message about the handle of no object; `name` is the object's noun.
inline std::string freed(char const* name) {
    return std::string{"sonde: "} + name + " has been freed, or was never made";
}

/// The object of a handle. Throws std::invalid_argument for null, and for the handle of no object; `name` is its noun.
template <class Object, class Handle>
Object& checked_as(Handle const* handle, char const* name) {
    require(handle, name);
    if (auto* const object = find<Object>(handle)) return *object;
    throw std::invalid_argument{freed(name)};
}

template <class Handle, class Object>
Handle* handle_for(std::shared_ptr<Object> object) {
    return handle_table<Object, Handle>::instance().add(std::move(object));
}

/// Deletes the object of a handle, and sets the handle to null. A null address and the handle of no object are ignored.
template <class Object, class Handle>
void destroy(Handle** handle) {
    if (handle != nullptr) handle_table<Object, Handle>::instance().remove(std::exchange(*handle, nullptr));
}

} // namespace sonde::detail::c
