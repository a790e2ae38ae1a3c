// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/comparison.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Statistics of a race between settings. A round launches the default and each alternative that is still in the race
// once, in random order; an observation is the median time of a row in a launch.
//
// The race chooses, and its errors cost time or a missed setting: alternatives are dropped by Student's t test of the
// paired differences of log times, as in F-Race's successors (Birattari, Stuetzle, Paquete, Varrentrapp, GECCO 2002;
// the t test of irace), whose error is divided by the number of alternatives and of looks. The outcome is decided
// later, by launches that the race has not seen, so that the choice of the best does not bias it, and by the exact
// rank-sum test.

namespace tools::tune {

/// Probability that Student's t with a whole number of degrees of freedom, 1 or more, is above t (Abramowitz and
/// Stegun, 26.7.3 and 26.7.4).
double t_upper_tail(double t, std::size_t degrees);

/// One-sided p value of Student's t test: the probability of a mean of x this large if the true mean is 0. The standard
/// deviation is at least `resolution`, so that equal values are no certainty. 1 for fewer than two values, and for a
/// mean of at most 0.
double above_zero_p(std::span<double const> x, double resolution);

/// Times of an alternative.
struct racer {
    std::vector<std::vector<double>> times{}; // seconds, positive: for each row, of each round so far
    bool is_racing = true;
    std::string reason{}; // why it left the race

    std::size_t rounds() const { return times.empty() ? 0 : times.front().size(); }
};

/// Ratio of an alternative's times to the default's, after some rounds.
struct course_point {
    double ratio;                        // geometric mean over rows and rounds
    std::optional<double> low{}, high{}; // 95 % interval of it, by Student's t; empty before the first look
};

struct race_criteria {
    double alpha = 0.05;      // of dropping an alternative wrongly, over all of them and all rounds; of the choice
    std::size_t rounds = 10;  // at most
    double effect = 0.03;     // smallest gain of a chosen setting, relative
    double resolution = 1e-3; // relative, of a time: differences below it are no differences
};

inline constexpr std::size_t rounds_before_first_look = 3;

/// Mean of the logarithms of the ratios of times a / b, over the rounds that both have.
double mean_log_ratio(std::span<double const> a, std::span<double const> b);

/// An alternative that leaves the race.
struct dropped_racer {
    std::size_t index;
    double ratio; // of its times to those of the reference, over rows and rounds: geometric mean
};

/// The ratio after each round that both have. `resolution` is that of `above_zero_p`.
std::vector<course_point> course_of(racer const& reference, racer const& other, double resolution);

/// Alternatives that leave the race after this round: those that in every row are surely slower than the fastest of the
/// others, at most alpha / (alternatives * looks) in each row. Racer 0 is the default, which stays.
std::vector<dropped_racer> surely_slower(std::vector<racer> const& all, race_criteria const& criteria);

/// Gain of an alternative over the default in a row.
struct gain {
    double ratio = 1;    // of its times to the default's, geometric mean
    double p = 1;        // that it is not faster, corrected for all alternatives and rows (Holm)
    double p_slower = 1; // that it is not slower, not corrected: a doubt is enough to leave it out
};

/// Gains by alternative and row. Those of the default, and of alternatives that left the race, are none.
std::vector<std::vector<gain>> gains_of(std::vector<racer> const& all, race_criteria const& criteria);

/// True if the gain is surely above 0 and at least the smallest effect.
bool is_promising(gain const& g, race_criteria const& criteria);

/// True if the alternative may be slower than the default by more than the smallest effect.
bool may_be_slower(gain const& g, race_criteria const& criteria);

/// The alternative with the lowest ratio in a row, among the promising ones of `eligible`; empty if there is none.
std::optional<std::size_t> best_in_row(std::vector<std::vector<gain>> const& gains, std::size_t row,
                                       std::vector<std::size_t> const& eligible, race_criteria const& criteria);

/// The alternative for all rows, of `eligible`: promising in a row, maybe slower in none, and of these that with the
/// lowest geometric mean over rows; empty if there is none.
std::optional<std::size_t> best_in_all_rows(std::vector<std::vector<gain>> const& gains,
                                            std::vector<std::size_t> const& eligible, race_criteria const& criteria);

/// Row of a confirmation: launches of the default and of the settings, in turns.
struct confirmed_row {
    double before = 0, after = 0;        // median times in seconds
    double speed_up = 1;                 // median of the paired ratios, default over settings
    std::optional<double> low{}, high{}; // 95 % interval of it over launches; empty for fewer than 6
    double p = 1;                        // of the rank-sum test, corrected for all rows (Holm)
    sonde::outcome outcome = sonde::outcome::undecided;
};

/// Outcomes of all rows: the probability of at least one that is wrong is at most alpha.
std::vector<confirmed_row> confirm(racer const& before, racer const& after, race_criteria const& criteria);

/// Launches of each side, at least `wanted`, with which the corrected test of this number of rows can be significant.
std::size_t launches_to_confirm(std::size_t rows, std::size_t wanted, double alpha);

} // namespace tools::tune
