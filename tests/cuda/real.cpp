// SPDX-License-Identifier: BSL-1.0

// The toolkit's own runtime: it counts the devices, or prints the reason if there is none.

#include <sonde/cuda.hpp>

#include <cstdio>
#include <string>

namespace {

int found() {
    int count = 0;
    auto const code = cudaGetDeviceCount(&count);
    return code == cudaSuccess ? count : 0;
}

bool says_why(std::string const& line) {
    return (line.find("there is no ") != line.npos || line.find("is newer than the driver") != line.npos) &&
           line.find('\n') == line.npos;
}

} // namespace

int main() {
    auto const expected = found();
    try {
        auto const count = sonde::cuda::device_count();
        std::printf("%d devices\n", count);
        return count == expected ? 0 : 1;
    } catch (sonde::cuda::error const& e) {
        std::puts(e.what());
        return expected == 0 && says_why(e.what()) ? 0 : 1;
    }
}
