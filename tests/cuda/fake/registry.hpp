// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace fake {

/// Objects by their handles; a handle is never reused, so that a destroyed object is not found.
template <class Handle, class Object>
class registry {
public:
    Handle add(std::shared_ptr<Object> object) {
        auto const handle = reinterpret_cast<Handle>(next_ += 16);
        objects_.emplace(handle, std::move(object));
        return handle;
    }
    std::shared_ptr<Object> find(Handle handle) const {
        auto const found = objects_.find(handle);
        return found == objects_.end() ? nullptr : found->second;
    }
    std::shared_ptr<Object> remove(Handle handle) {
        auto found = find(handle);
        objects_.erase(handle);
        return found;
    }
    template <class Which>
    void remove_if(Which which) {
        std::erase_if(objects_, [&](auto const& one) { return which(*one.second); });
    }
    std::vector<std::shared_ptr<Object>> every() const {
        std::vector<std::shared_ptr<Object>> found;
        for (auto const& one : objects_) found.push_back(one.second);
        return found;
    }

private:
    std::map<Handle, std::shared_ptr<Object>> objects_;
    std::uintptr_t next_ = 4096;
};

} // namespace fake
