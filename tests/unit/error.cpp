// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <sonde/error.hpp>

#include <stdexcept>
#include <string>

namespace {

/// Leaves an abort function in the test, where a library would end the job.
struct ended {
    std::string message;
};
auto const end = [](char const* message) { throw ended{message}; };

} // namespace

TEST_CASE(
    "abort_on_exception returns the result of its function, also a reference, or ends with the exception's message") {
    int value = 3;
    CHECK(&sonde::abort_on_exception(end, [&]() -> int& { return value; }) == &value);
    sonde::abort_on_exception(end, [] {});
    auto const message = [](auto f) {
        try {
            sonde::abort_on_exception(end, f);
        } catch (ended const& e) {
            return e.message;
        }
        return std::string{"it went on"};
    };
    CHECK(message([] { throw std::runtime_error{"a wheel came off"}; }) == "a wheel came off");
    CHECK(message([] { throw 1; }) == "an exception of unknown type");
}

TEST_CASE("a library's error has the name of the call, the code and a text") {
    try {
        throw sonde::library_error{"my_send", 7, "my_send: no route"};
    } catch (sonde::library_error const& e) {
        CHECK(std::string{e.call()} == "my_send");
        CHECK(e.code() == 7);
        CHECK(std::string{e.what()} == "my_send: no route");
    }
}
