// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

// [satisfies]
#include <sonde/pattern.hpp>

struct my_pattern {
    void operator()();
};
static_assert(sonde::Pattern<my_pattern>);
static_assert(sonde::Pattern<decltype([] {})>); // every lambda without parameters
// [/satisfies]

#include <cstddef>
#include <functional>
#include <utility>

struct my_exchange { // with a neighbor: every rank sends `bytes`
    std::size_t bytes;
    void operator()();
    sonde::role role() const { return sonde::role::initiator; } // the times of this rank count
    sonde::traffic traffic() const { return {.bytes = bytes, .messages = 1}; }
};
static_assert(sonde::Pattern<my_exchange>);

// [adaptor]
template <sonde::Pattern P>
class counted : public sonde::pattern_adaptor<counted<P>, P> { // counts the iterations of a pattern
public:
    counted(std::size_t& count, P pattern) : counted::pattern_adaptor{std::move(pattern)}, count_{&count} {}
    void iterate(auto& inner) {
        ++*count_;
        inner();
    }

private:
    std::size_t* count_;
};
static_assert(sonde::Pattern<counted<my_exchange>>);
// [/adaptor]

#include <sonde/pattern/pattern_ref.hpp>

sonde::record measure(sonde::pattern_ref<> pattern); // any pattern, by plans of the steady clock
sonde::record measure_mine() { return measure(my_pattern{}); }

namespace pattern_concept {

using lambda = decltype([] {});
using counter = decltype([n = 0]() mutable { return ++n; });
static_assert(sonde::Pattern<lambda const> && sonde::Pattern<counter> && sonde::Pattern<void (*)()> &&
              sonde::Pattern<std::function<void()>> && sonde::Pattern<decltype([](int n = 1) { return n; })> &&
              sonde::Pattern<sonde::with_traffic<lambda>> && sonde::Pattern<sonde::with_setup<lambda, my_pattern>> &&
              sonde::Pattern<sonde::repeat<sonde::with_traffic<my_pattern>>>);

struct not_called { void iterate(); };                       // no operator()
using wants_an_argument = decltype([](int round) { return round; });
struct inaccessible : private my_pattern {};                 // operator() is private
static_assert(!sonde::Pattern<not_called> && !sonde::Pattern<wants_an_argument> && !sonde::Pattern<inaccessible>);

static_assert(!sonde::Pattern<counter const>); // it changes when called
static_assert(!sonde::Pattern<int>);

} // namespace pattern_concept
