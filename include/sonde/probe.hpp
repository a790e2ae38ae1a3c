// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/group/agreement.hpp>
#include <sonde/group/group_ref.hpp>
#include <sonde/measure/plan.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/measure/run.hpp>
#include <sonde/pattern.hpp>
#include <sonde/probe/live_scope.hpp>
#include <sonde/probe/pass_ring.hpp>
#include <sonde/stat/histogram.hpp>
#include <sonde/timeline.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <ratio>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace sonde::inline v0_1 {

/// Options of a scope.
struct scope_options {
    std::size_t bytes = 0; // moved by this rank in one pass
    /// Of an exchange: the ranks for whose entry this rank waits; a negative one, such as MPI_PROC_NULL, is no partner.
    /// Empty: all ranks.
    std::vector<int> partners{};
};

/// Options of a probe.
struct probe_options {
    std::size_t kept_passes = 4096; // of work and exchanges, of 24 bytes each; rounded up to a power of two, up to 2^32
};

/// The plan of `measure_references`.
template <Clock C>
using reference_plan = decltype(plan<>{}.until(samples{1} || time_budget{}).timed_by(std::declval<C>()));

/// A named part of an application. A pass is timed by two readings of the clock and counted, without an allocation.
///
///     { auto const pass = halo.enter(); exchange(); }
///
/// A pass is counted when it ends, even if an exception ends it. Its time includes nested scopes. If a scope is entered
/// recursively, or has several passes at once, each pass counts. For one thread at a time.
template <Clock C>
class basic_scope {
    using reading = decltype(std::declval<C&>().now());

public:
    /// A pass that ends when its object is destroyed, or by `end()`. It can be moved, for a phase that begins in one
    /// function and ends in another: with a member `probe_scope::pass pass_`,
    ///
    ///     void start()  { pass_ = halo_.enter(); start_exchange(); }
    ///     void finish() { finish_exchange(); pass_.end(); }
    ///
    /// A pass that has not begun, has ended, or was moved from is not active. An active pass must not outlive its
    /// probe.
    class [[nodiscard]] pass {
    public:
        pass() = default;
        explicit pass(basic_scope& entered) : scope_{&entered}, begin_{entered.clock_.now()} { entered.begin(begin_); }
        pass(pass&& other) noexcept : scope_{std::exchange(other.scope_, nullptr)}, begin_{other.begin_} {}
        /// Throws std::logic_error if this pass is active, because its end is missing. It stays active, and the other
        /// pass is not counted.
        // NOLINTNEXTLINE(performance-noexcept-move-constructor): it throws
        pass& operator=(pass&& other) {
            auto* const entered = std::exchange(other.scope_, nullptr);
            if (active())
                throw std::logic_error{"sonde::probe: a pass begins before the previous one ends: " + scope_->name_};
            scope_ = entered;
            begin_ = other.begin_;
            return *this;
        }
        [[gnu::always_inline]] ~pass() { // so that compilers see that the pass of a block is active
            if (active()) scope_->count(begin_);
        }

        /// Throws std::logic_error if the pass is not active.
        void end() {
            if (!active()) throw std::logic_error{"sonde::probe: a pass ends that has not begun, or has ended before"};
            std::exchange(scope_, nullptr)->count(begin_);
        }
        /// True between `enter` and the end of the pass.
        bool active() const { return scope_ != nullptr; }

    private:
        basic_scope* scope_ = nullptr;
        reading begin_{};
    };

    basic_scope(std::string_view name, scope_options options, C clock)
        : clock_{std::move(clock)}, name_{name}, options_{std::move(options)} {}
    /// Not copied: the passes of a copy would be in no record. Keep a reference, `auto& scope = probe.scope(name)`.
    basic_scope(basic_scope const&) = delete;

    /// Begin a pass, which ends where the result is destroyed.
    [[nodiscard]] pass enter() { return pass{*this}; }

    /// Find the scope of this name nested in this one, or make it. Throws std::invalid_argument if it exists with
    /// another number of bytes. A call without bytes (0) finds the scope whatever its number of bytes is.
    basic_scope& scope(std::string_view name, scope_options options = {}) {
        return find_or_make(name, std::move(options), scope_kind::part);
    }
    /// The same for a scope in which this rank computes and does not wait for other ranks. Its latest passes are kept
    /// for `collect_lateness`. Throws std::invalid_argument if a scope of this name is of another kind.
    basic_scope& work(std::string_view name) { return find_or_make(name, {}, scope_kind::work); }
    /// The same for an exchange, in which this rank waits for its partners. All ranks that have the scope pass it
    /// equally often. Throws std::invalid_argument, too, if the scope has other partners.
    basic_scope& exchange(std::string_view name, scope_options options = {}) {
        return find_or_make(name, std::move(options), scope_kind::exchange);
    }
    /// As above, for a scope whose name is the place of this call, "file.cpp:123".
    basic_scope& scope(scope_options options = {},
                       detail::call_site where = detail::call_site::of(__builtin_FILE(), __builtin_LINE())) {
        return scope(where.name(), std::move(options));
    }

    /// Record the passes of this scope and of its nested scopes in a track, which must outlive these passes.
    void record_in(timeline_track& track) {
        event_type_ = track.type_index({event_kind::scope, name_, options_.bytes});
        track_ = &track;
        for (auto& s : children_) s.record_in(track);
    }

    /// Count the passes of this scope and of its nested scopes also in a table, which must outlive these passes.
    /// `enclosing`: the names of the enclosing scopes, each with a slash behind it. `passes`: for the latest passes of
    /// exchanges and of work; may be null.
    void publish_in(scope_table& table, std::string const& enclosing = "", live_passes* passes = nullptr) {
        path_ = name_.empty() ? enclosing : enclosing + name_ + '/';
        table_ = &table;
        live_passes_ = passes;
        if (!name_.empty()) (is_recorded_ ? second_live_ : live_) = added_to(table, enclosing);
        for (auto& s : children_) s.publish_in(table, path_, passes);
    }

    /// Set the reference pattern, which moves as much as one pass under ideal conditions: `measure_references` calls
    /// `make() -> pattern`, which must not make collective calls, because not every rank may set one.
    template <class F>
        requires Pattern<std::invoke_result_t<F&>>
    void set_reference(F make) {
        reference_ = [make = std::move(make)](group_ref& group, reference_plan<C> const& plan) mutable {
            return detail::with_made(group, make, [&](auto& p) { return sonde::run(group, plan, p, {}); });
        };
    }

    /// A pass begins at this reading of the probe's clock: for callers that keep the reading instead of a `pass`, such
    /// as code in other languages.
    void begin(reading now) {
        if (live_ != nullptr) publish_begin(sonde::since_epoch(now).count());
    }
    /// Count a pass that began at this reading, and ends now.
    void count(reading begin) {
        auto const end = clock_.now();
        times_.add(end - begin);
        if (kind_ != scope_kind::part) ring_->add(number_, kind_, sonde::since_epoch(begin), sonde::since_epoch(end));
        if (track_ != nullptr) track_->add(event_type_, sonde::since_epoch(begin), sonde::since_epoch(end));
        if (live_ != nullptr) publish_pass(sonde::since_epoch(begin).count(), sonde::since_epoch(end).count());
    }

    std::string const& name() const { return name_; }
    /// Bytes that this rank moves in one pass.
    std::size_t bytes() const { return options_.bytes; }
    /// What the application does in the scope.
    scope_kind kind() const { return kind_; }
    /// Of an exchange: the ranks for whose entry this rank waits; empty for all ranks.
    std::vector<int> const& partners() const { return options_.partners; }
    /// Histogram of the times of the passes.
    auto const& times() const { return times_; }
    /// Number of the scope of work or of the exchange in the probe.
    std::uint32_t number() const { return number_; }
    /// The scopes nested in this one.
    std::list<basic_scope> const& children() const { return children_; }
    /// The function that makes the reference pattern; empty for none.
    auto const& reference() const { return reference_; }

private:
    template <Clock>
    friend class basic_probe;
    basic_scope(basic_scope&&) noexcept = default; // of a probe
    basic_scope& operator=(basic_scope&&) noexcept = default;

    basic_scope& find_or_make(std::string_view name, scope_options options, scope_kind kind) {
        for (auto& s : children_)
            if (s.name_ == name) return s.matching(options, kind);
        auto& made = children_.emplace_back(name, std::move(options), clock_);
        made.ring_ = ring_;
        made.kind_ = kind;
        if (kind != scope_kind::part) made.number_ = ring_->add_scope();
        if (track_ != nullptr) made.record_in(*track_);
        if (recorder_table_ != nullptr) made.show_in(*recorder_table_, path_);
        if (table_ != nullptr) made.publish_in(*table_, path_, live_passes_);
        return made;
    }
    live_scope* added_to(scope_table& table, std::string const& enclosing) const {
        return table.add(enclosing + name_, options_.bytes, kind_,
                         {options_.partners.data(), options_.partners.size()});
    }
    /// Count the passes also in the recorder's table.
    void show_in(scope_table& table, std::string const& enclosing) {
        path_ = name_.empty() ? enclosing : enclosing + name_ + '/';
        recorder_table_ = &table;
        if (!name_.empty()) live_ = added_to(table, enclosing);
        is_recorded_ = live_ != nullptr;
    }
    void publish_begin(double at) {
        live_->enter(at);
        if (second_live_ != nullptr) second_live_->enter(at);
    }
    [[gnu::noinline]] void publish_pass(double begin, double end) {
        live_->leave(begin, end);
        if (second_live_ != nullptr) second_live_->leave(begin, end);
        auto const* const counted = is_recorded_ ? second_live_ : live_; // in the table of the passes
        if (live_passes_ != nullptr && counted != nullptr && kind_ != scope_kind::part)
            live_passes_->add(*counted, begin, end);
    }
    basic_scope& matching(scope_options const& options, scope_kind kind) {
        auto const require = [&](bool equal, char const* what) {
            if (!equal) throw std::invalid_argument{std::string{"sonde::probe: the scope "} + what + ": " + name_};
        };
        require(options.bytes == 0 || options.bytes == bytes(), "has another number of bytes");
        require(kind == scope_kind::part || kind == kind_, "is of another kind");
        require(options.partners.empty() || options.partners == options_.partners, "has other partners");
        return *this;
    }

    [[no_unique_address]] C clock_;
    basic_histogram<4, std::nano, detail::compact_counters> times_; // the scope must fit into 4 KiB
    std::string name_;
    scope_options options_;
    scope_kind kind_ = scope_kind::part;
    std::uint32_t number_ = 0; // in the ring
    detail::pass_ring* ring_ = nullptr;
    timeline_track* track_ = nullptr;
    std::uint32_t event_type_ = 0; // in the track
    scope_table *table_ = nullptr, *recorder_table_ = nullptr;
    live_scope *live_ = nullptr, *second_live_ = nullptr; // in the tables; the second one beside the recorder's
    bool is_recorded_ = false;                            // in the recorder's table
    live_passes* live_passes_ = nullptr;                  // of the other table
    std::string path_;                                    // in the tables, of the scopes in this one
    std::function<record(group_ref&, reference_plan<C> const&)> reference_;
    std::list<basic_scope> children_; // a list, because references to scopes must stay valid
};

/// The scopes of one thread of an application. It can stay enabled in production: it communicates only in `collect`.
///
///     sonde::probe probe;
///     auto& halo = probe.scope("halo", {.bytes = n});    // looked up once, before the loop
///     { auto const pass = halo.enter(); exchange(); }
///
/// If the recorder of `sonde-replay` is preloaded, `sonde-replay hang` says in which scope a rank is.
///
/// A reference to a scope is valid for the lifetime of the probe, even after the probe was moved. A scope takes less
/// than 4 KiB.
template <Clock C>
class basic_probe {
public:
    /// Throws std::invalid_argument if the options keep no passes, or more than 2^32.
    explicit basic_probe(C clock = C{}, probe_options options = {})
        : clock_{clock}, ring_{std::make_unique<detail::pass_ring>(options.kept_passes)},
          root_{"", {}, std::move(clock)}, begin_{clock_.now()} {
        root_.ring_ = ring_.get();
        if constexpr (std::same_as<C, steady_clock>) // by which the recorder tells since when a pass is under way
            if (auto* const table = detail::recorder_scopes()) root_.show_in(*table, "");
    }
    basic_probe(basic_probe&&) noexcept = default;
    basic_probe& operator=(basic_probe&&) noexcept = default;

    /// See `basic_scope::scope`.
    basic_scope<C>& scope(std::string_view name, scope_options options = {}) & {
        return root_.scope(name, std::move(options));
    }
    /// See `basic_scope::work`.
    basic_scope<C>& work(std::string_view name) & { return root_.work(name); }
    /// See `basic_scope::exchange`.
    basic_scope<C>& exchange(std::string_view name, scope_options options = {}) & {
        return root_.exchange(name, std::move(options));
    }
    /// The same for a scope whose name is the place of this call, such as `solver.cpp:123`.
    basic_scope<C>& scope(scope_options options = {},
                          detail::call_site where = detail::call_site::of(__builtin_FILE(), __builtin_LINE())) & {
        return root_.scope(std::move(options), where);
    }
    void scope(std::string_view, scope_options = {}) && = delete; // the reference would dangle
    void scope(scope_options = {}) && = delete;
    void work(std::string_view) && = delete;
    void exchange(std::string_view, scope_options = {}) && = delete;

    /// Record the passes of all scopes, including scopes that are made later, in a track of a `timeline`, which must
    /// outlive the passes. The track and the probe belong to the same thread.
    void record_in(timeline_track& track) { root_.record_in(track); }

    /// Count the passes of all scopes, including scopes that are made later, also in a table that others read, such as
    /// a monitor's. The table must outlive the passes. It keeps the latest passes of the first probe's exchanges and
    /// scopes of work.
    void publish_in(scope_table& table) { root_.publish_in(table, "", table.passes.take() ? &table.passes : nullptr); }

    /// The outermost scopes.
    std::list<basic_scope<C>> const& scopes() const& { return root_.children(); }
    void scopes() const&& = delete;
    /// The latest passes of scopes of work and of exchanges, by the numbers of the scopes.
    detail::pass_ring const& kept_passes() const { return *ring_; }
    /// The clock by which passes are timed.
    C const& clock() const { return clock_; }
    /// Time since the probe was made.
    seconds observed() const {
        auto clock = clock_;
        return clock.now() - begin_;
    }

private:
    [[no_unique_address]] C clock_;
    std::unique_ptr<detail::pass_ring> ring_;
    basic_scope<C> root_; // without passes
    decltype(std::declval<C&>().now()) begin_;
};

using probe = basic_probe<steady_clock>;
using probe_scope = basic_scope<steady_clock>;

} // namespace sonde
