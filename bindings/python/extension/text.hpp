// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>

namespace binding {

/// What a reporter writes, as a text without the last line feed.
template <class Reporter, class... Found>
std::string text_by(Found const&... found) {
    struct memory_file {
        char* text = nullptr;
        std::size_t size = 0;
        std::FILE* file = open_memstream(&text, &size);

        memory_file() {
            if (file == nullptr) throw std::bad_alloc{};
        }
        memory_file(memory_file const&) = delete;
        memory_file& operator=(memory_file const&) = delete;
        ~memory_file() {
            std::fclose(file);
            std::free(text);
        }
    } written;
    Reporter{written.file}(found...);
    std::fflush(written.file); // updates text and size
    auto const size = written.size;
    return {written.text, size != 0 && written.text[size - 1] == '\n' ? size - 1 : size};
}

} // namespace binding
