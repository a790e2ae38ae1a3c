// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/trace/fold.hpp"
#include "tools/replay/trace/trace_text.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

using namespace std::chrono_literals;
using tools::replay::event;
using tools::replay::folded_events;
using tools::replay::node;
using tools::replay::times;

namespace {

constexpr std::size_t plenty = std::size_t{1} << 26;

/// "a 3(b c)": loops as their passes and bodies.
std::string text_of(std::vector<node> const& nodes) {
    std::string text;
    for (auto const& n : nodes) {
        if (!text.empty()) text += ' ';
        if (n.is_loop()) text += std::to_string(n.passes) + '(' + text_of(n.body) + ')';
        else text += static_cast<char>(n.what.call);
    }
    return text;
}

/// An event for each letter; every call takes 10 ns and comes 100 ns after the one before.
folded_events of(std::string_view letters, std::size_t limit = plenty) {
    folded_events all{limit};
    for (auto const letter : letters) all.add({.call = letter}, {100ns, 10ns});
    all.close();
    return all;
}
std::string folded(std::string_view letters) { return text_of(of(letters).nodes()); }

std::string repeated(std::string const& text, int n) {
    std::string all;
    for (int i = 0; i != n; ++i) all += text;
    return all;
}

std::uint64_t events_in(std::vector<node> const& nodes) {
    std::uint64_t all = 0;
    for (auto const& n : nodes) all += n.is_loop() ? n.passes * events_in(n.body) : 1;
    return all;
}
std::uint64_t samples_in(std::vector<node> const& nodes) {
    std::uint64_t all = 0;
    for (auto const& n : nodes) all += n.is_loop() ? samples_in(n.body) : n.measured.think.count();
    return all;
}

} // namespace

TEST_CASE("repetitions become loops") {
    CHECK(folded("") == "");
    CHECK(folded("abc") == "a b c");
    CHECK(folded("aa") == "2(a)");
    CHECK(folded("iabcabcabcf") == "i 3(a b c) f");
    CHECK(folded("abab") == "2(a b)");
}
TEST_CASE("a pass that is not complete stays outside of its loop") {
    CHECK(folded("abcabcab") == "2(a b c) a b");
    CHECK(folded("abcabcabx") == "2(a b c) a b x");
    CHECK(folded("aabaabaa") == "2(2(a) b) 2(a)");
}
TEST_CASE("loops are nested") {
    CHECK(folded(repeated("x" + repeated("ab", 5) + "y", 4)) == "4(x 5(a b) y)");
    CHECK(folded(repeated(repeated("a", 3) + repeated("b", 2), 7)) == "7(3(a) 2(b))");
    auto const step = repeated("x" + repeated("ab", 3), 2) + "y";
    CHECK(folded(repeated(step, 10)) == "10(2(x 3(a b)) y)");
}
TEST_CASE("a loop with another number of passes is another loop") { CHECK(folded("xaaaxaaxaa") == "x 3(a) 2(x 2(a))"); }
TEST_CASE("a loop goes on after it was closed in the middle of a pass") {
    folded_events all{plenty};
    int n = 0;
    for (auto const letter : repeated("abc", 6)) {
        all.add({.call = letter}, {});
        if (++n % 4 == 0) all.close();
    }
    all.close();
    CHECK(text_of(all.nodes()) == "6(a b c)");
}
TEST_CASE("no event is lost or counted twice, whatever repeats") {
    std::uint32_t random = 1;
    for (int length = 1; length != 400; ++length) {
        std::string letters;
        for (int i = 0; i != length; ++i) {
            random = random * 1664525 + 1013904223; // Numerical Recipes
            letters += static_cast<char>('a' + (random >> 30) % 3);
        }
        auto const all = of(letters);
        REQUIRE(events_in(all.nodes()) == letters.size());
        REQUIRE(samples_in(all.nodes()) == letters.size());
    }
}
TEST_CASE("events differ by each argument") {
    event const base{.call = 1, .site = 1};
    for (auto const field : {&event::call, &event::site, &event::comm, &event::window, &event::to, &event::tag,
                             &event::from, &event::recv_tag, &event::root, &event::type, &event::recv_type,
                             &event::operation, &event::made, &event::requests, &event::counts}) {
        auto other = base;
        other.*field = 7;
        CHECK(hash_of(other) != hash_of(base));
    }
    for (auto const field : {&event::count, &event::recv_count}) {
        auto other = base;
        other.*field = 7;
        CHECK(hash_of(other) != hash_of(base));
    }
}
TEST_CASE("memory does not grow with passes, and is bounded without repetitions") {
    CHECK(of(repeated("abcd", 10)).bytes() == of(repeated("abcd", 1000)).bytes());
    std::size_t const limit = 100000;
    folded_events all{limit};
    for (int i = 0; i != 10000; ++i) all.add({.call = i}, {});
    all.close();
    CHECK(all.bytes() <= limit);
    CHECK(all.nodes().size() > 100);
    CHECK(all.nodes().size() + all.dropped() == 10000);
}

TEST_CASE("slices of times keep their mean, the short ones first") {
    auto const nanoseconds = [](double seconds) { return seconds * 1e9; };
    times all;
    CHECK(all.means()[0] == 0);
    all.add(32ns);
    CHECK(nanoseconds(all.means()[0]) == doctest::Approx(32));
    CHECK(nanoseconds(all.means()[15]) == doctest::Approx(32));
    for (int i = 1; i != 16; ++i) all.add(i < 15 ? 32ns : 1024ns);
    auto const means = all.means();
    CHECK(all.count() == 16);
    CHECK(nanoseconds(means[14]) == doctest::Approx(32).epsilon(0.07));
    CHECK(nanoseconds(means[15]) == doctest::Approx(1024).epsilon(0.07));
    CHECK(nanoseconds(tools::replay::mean_of(means)) == doctest::Approx((15 * 32 + 1024) / 16.));
    CHECK(nanoseconds(tools::replay::median_of(means)) == doctest::Approx(32).epsilon(0.07));
}
TEST_CASE("times merge as if they were added") {
    times apart[3], together;
    for (int i = 0; i != 30; ++i) {
        apart[i % 3].add(std::chrono::nanoseconds{i * i});
        together.add(std::chrono::nanoseconds{i * i});
    }
    times merged;
    for (auto const& part : apart) merged += part;
    CHECK(merged.count() == together.count());
    CHECK(merged.sum().count() * 1e9 == doctest::Approx(together.sum().count() * 1e9));
    for (std::size_t i = 0; i != times::slice_count; ++i)
        CHECK(merged.means()[i] * 1e9 == doctest::Approx(together.means()[i] * 1e9));
}

TEST_CASE("ranks are ranges") {
    auto const text = [](std::vector<int> const& ranks) { return tools::replay::ranks_text(ranks); };
    CHECK(text({}) == "");
    CHECK(text({3}) == "3");
    CHECK(text({0, 1, 2, 3}) == "0-3");
    CHECK(text({0, 4, 8, 9}) == "0-8:4,9");
    CHECK(text({1, 0}) == "1,0");
    CHECK(text({0, 2}) == "0,2");
}
