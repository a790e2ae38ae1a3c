// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>

namespace binding {

/// What a reporter writes, as a text.
template <class Reporter, class... Found>
std::string text_by(Found const&... found) {
    char* text = nullptr;
    std::size_t size = 0;
    auto* const file = open_memstream(&text, &size);
    if (file == nullptr) throw std::bad_alloc{};
    Reporter{file}(found...);
    std::fclose(file);
    std::string written{text, size};
    std::free(text);
    if (written.ends_with('\n')) written.pop_back();
    return written;
}

} // namespace binding
