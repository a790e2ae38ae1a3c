// SPDX-License-Identifier: BSL-1.0
#include "tools/tune/candidates.hpp"

#include "suite/values.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <string_view>

namespace tools::tune {

namespace {

constexpr std::string_view tuned_prefix = "coll_tuned_", nonblocking_prefix = "coll_libnbc_",
                           mpich_prefix = "MPIR_CVAR_", intel_prefix = "I_MPI_ADJUST_";
constexpr std::string_view tuned_suffix = "_algorithm", mpich_suffix = "_INTRA_ALGORITHM";

std::string lower(std::string_view text) {
    std::string result;
    for (auto const c : text) result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_of_a_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

void add_words(std::string_view text, std::set<std::string>& to) {
    std::string word;
    for (auto const c : text) {
        if (is_letter(c)) {
            word += c;
            continue;
        }
        if (!word.empty()) to.insert(lower(word));
        word.clear();
    }
    if (!word.empty()) to.insert(lower(word));
}

bool consists_of(std::string_view name, std::set<std::string> const& vocabulary) {
    std::set<std::string> parts;
    add_words(name, parts);
    return !parts.empty() &&
           std::all_of(parts.begin(), parts.end(), [&](auto const& p) { return vocabulary.count(p) != 0; });
}

/// Second of two words without a blank between them: "smp" of "algorithmsmp". The first word is the longest one that
/// leaves known words: "allreduce" of "allreducempir", not "all". If none leaves known words, it is the longest one:
/// "algorithms" of "algorithmstsp_tree".
std::string second_of_joined(std::string_view joined, std::set<std::string> const& vocabulary) {
    auto rest = joined, known = std::string_view{};
    for (std::size_t length = 2; length < joined.size() && is_letter(joined[length]); ++length) {
        if (vocabulary.count(lower(joined.substr(0, length))) == 0) continue;
        rest = joined.substr(length);
        if (consists_of(rest, vocabulary)) known = rest;
    }
    return std::string{known.empty() ? rest : known};
}

} // namespace

std::set<std::string> vocabulary_of(std::vector<control_variable> const& all) {
    std::set<std::string> words;
    for (auto const& v : all)
        for (auto const* text : {&v.description, &v.name}) add_words(*text, words);
    return words;
}

std::vector<std::string> words_in_description(std::string const& description, std::set<std::string> const& vocabulary) {
    std::vector<std::string> words;
    for (auto dash = description.find(" - "); dash != description.npos; dash = description.find(" - ", dash + 3)) {
        auto const end = description.find_last_not_of(' ', dash);
        if (end == description.npos) continue;
        auto begin = end + 1;
        while (begin != 0 && is_of_a_name(description[begin - 1])) --begin;
        auto const joined = description.substr(begin, end + 1 - begin);
        // After a sentence, or in a line of its own in MPICH 5.
        auto const is_alone = begin != 0 && (description[begin - 1] == ')' || description[begin - 1] == '\n');
        auto word = is_alone ? joined : second_of_joined(joined, vocabulary);
        if (!word.empty() && std::find(words.begin(), words.end(), word) == words.end())
            words.push_back(std::move(word));
    }
    return words;
}

std::vector<std::string> values_of_intel_mpi(control_variable const& variable) {
    std::string_view const text{variable.description};
    std::vector<std::string> values;
    constexpr std::string_view range = "range: 0-", item = "> ";
    if (auto const from = text.find(range); from != text.npos && text.find("<presetid>") != text.npos) {
        auto const digits = text.substr(from + range.size(), 4);
        auto const last =
            suite::number<std::size_t>(std::string{digits.substr(0, digits.find_first_not_of("0123456789"))}, 0, 1000);
        for (std::size_t i = 0; last && i <= *last; ++i) values.push_back(std::to_string(i));
    } else if (variable.name == "I_MPI_FABRICS" || variable.name == "I_MPI_SHM") {
        for (auto at = text.find(item); at != text.npos; at = text.find(item, at + 1)) {
            auto const word = text.substr(at + item.size());
            auto const end = word.find(' ');
            if ((at == 0 || !is_of_a_name(text[at - 1])) && end != word.npos && end != 0)
                values.emplace_back(word.substr(0, end));
        }
    }
    return values;
}

std::string collective_of(std::string const& variable) {
    std::string_view const name{variable};
    for (auto const prefix : {tuned_prefix, nonblocking_prefix})
        if (name.starts_with(prefix) && name.ends_with(tuned_suffix))
            return std::string{name.substr(prefix.size(), name.size() - prefix.size() - tuned_suffix.size())};
    if (name.starts_with(intel_prefix)) return lower(name.substr(intel_prefix.size()));
    if (!name.starts_with(mpich_prefix) || !name.ends_with(mpich_suffix)) return {};
    auto const middle =
        lower(name.substr(mpich_prefix.size(), name.size() - mpich_prefix.size() - mpich_suffix.size()));
    constexpr std::string_view in_shared_memory = "_posix";
    return middle.ends_with(in_shared_memory) ? middle.substr(0, middle.size() - in_shared_memory.size()) : middle;
}

std::string candidate::text() const {
    auto text = settings.front().variable + '=' + settings.front().value;
    return segment == 0 ? text : text + " segment=" + std::to_string(segment);
}

namespace {

/// True for an algorithm that cuts a message into segments, by its name.
bool pipelines(std::string const& algorithm) {
    for (auto const* const part : {"segment", "pipeline", "chain", "binary"})
        if (algorithm.find(part) != algorithm.npos) return true;
    return false;
}

class candidate_list {
public:
    candidate_list(library_settings const& all, candidate_selection const& selection)
        : all_{all}, selection_{selection}, vocabulary_{vocabulary_of(all.variables)} {}

    std::vector<candidate> operator()() {
        for (auto const& v : all_.variables) {
            auto const collective = collective_of(v.name);
            if (!collective.empty() && selection_.part != tuned_part::eager_limits) add_algorithms(v, collective);
            if (selection_.part == tuned_part::algorithms) continue;
            if (is_eager_limit(v.name)) add_limits(v);
            if (collective.empty()) add_transports(v);
        }
        return std::move(found_);
    }

private:
    bool is_wanted(std::string const& collective) const {
        return selection_.collectives.empty() || selection_.collectives.count(collective) != 0;
    }

    void add_algorithms(control_variable const& v, std::string const& collective) {
        if (!is_wanted(collective)) return;
        auto words = v.words;
        if (v.name.starts_with(intel_prefix)) {
            for (auto const& number : values_of_intel_mpi(v)) words.push_back({number, 0});
        } else if (words.empty()) {
            for (auto const& w : words_in_description(v.description, vocabulary_)) words.push_back({w, 0});
        }
        for (auto const& w : words) {
            auto const is_present = w.word == v.value || (v.words.empty() && is_present_number(words, w, v.value));
            if (is_present || (w.word == "two_proc" && all_.ranks != 2)) continue;
            candidate c{{{v.name, w.word}}, collective, w.number, 0};
            if (v.name.starts_with(tuned_prefix)) c.settings.push_back({"coll_tuned_use_dynamic_rules", "1"});
            found_.push_back(c);
            if (v.name.starts_with(tuned_prefix) && pipelines(w.word)) add_segments(c);
        }
    }

    /// MPICH's value is a number, which counts the words from 0.
    static bool is_present_number(std::vector<enumerator> const& words, enumerator const& w, std::string const& value) {
        auto const n = suite::number<std::size_t>(value, 0, words.size() - 1);
        return n && words[*n] == w;
    }

    void add_segments(candidate const& whole) {
        auto const variable = whole.settings.front().variable + "_segmentsize";
        auto const* const known = all_.find(variable);
        if (known == nullptr || known->description.find("do not support segmentation") != std::string::npos) return;
        for (auto const bytes : {std::size_t{8192}, std::size_t{65536}}) {
            if (selection_.largest_message && static_cast<double>(bytes) >= *selection_.largest_message) continue;
            auto c = whole;
            c.segment = bytes;
            c.settings.push_back({variable, std::to_string(bytes)});
            found_.push_back(std::move(c));
        }
    }

    void add_transports(control_variable const& v) {
        for (auto const& word : values_of_intel_mpi(v))
            if (word != v.value && !(word == "shm" && all_.hosts != 1)) found_.push_back({{{v.name, word}}});
    }

    /// True for the limit of messages that are sent at once, of a device that the library uses.
    bool is_eager_limit(std::string const& name) const {
        if (name.starts_with("btl_"))
            return name.ends_with("_eager_limit") && !name.ends_with("_rndv_eager_limit") &&
                   !name.starts_with("btl_self_") && !(all_.hosts == 1 && is_network(name)) && !is_old_name(name);
        if (name.starts_with("MPIR_CVAR_CH4_SHM_") && name.ends_with("_IQUEUE_CELL_SIZE"))
            return all_.device.starts_with("ch4");
        if (name == "I_MPI_SHM_CELL_FWD_SIZE" || name == "I_MPI_SHM_CELL_BWD_SIZE") return true;
        if (name.find("_EAGER_MAX_") == name.npos && !name.ends_with("_EAGER_THRESHOLD")) return false;
        auto const is_of = [&](char const* part, char const* device) {
            return name.find(part) == name.npos || all_.device.find(device) != all_.device.npos;
        };
        return is_of("_CH3_", "ch3") && is_of("_NEMESIS_", "nemesis") && is_of("_CH4_", "ch4") &&
               is_of("_OFI_", "ofi") && is_of("_UCX_", "ucx");
    }

    /// Open MPI 5 has btl_sm under its name of before, too.
    bool is_old_name(std::string const& name) const {
        return name == "btl_vader_eager_limit" && all_.find("btl_sm_eager_limit") != nullptr;
    }

    /// True for a device of a network, which ranks of one host do not use if there is one of shared memory.
    bool is_network(std::string const& name) const {
        constexpr char const* shared_memory[] = {"btl_vader_eager_limit", "btl_sm_eager_limit"};
        return std::none_of(std::begin(shared_memory), std::end(shared_memory),
                            [&](auto const* other) { return name == other; }) &&
               std::any_of(std::begin(shared_memory), std::end(shared_memory),
                           [&](auto const* other) { return all_.find(other) != nullptr; });
    }

    void add_limits(control_variable const& v) {
        constexpr std::size_t most = std::size_t{1} << 24, usual = 4096;
        auto const now = suite::number<std::size_t>(v.value, 0, most); // -1: the library's choice
        auto const from = now && *now != 0 ? *now : usual;
        for (auto const bytes : {from / 4, from, from * 4, from * 16})
            if (bytes >= 64 && bytes <= most && bytes != now.value_or(0))
                found_.push_back({{{v.name, std::to_string(bytes)}}});
    }

    library_settings const& all_;
    candidate_selection const& selection_;
    std::set<std::string> vocabulary_;
    std::vector<candidate> found_{};
};

} // namespace

std::vector<candidate> candidates_of(library_settings const& all, candidate_selection const& selection) {
    return candidate_list{all, selection}();
}

std::string environment_name(std::string const& variable) {
    auto const is_mca = std::none_of(variable.begin(), variable.end(),
                                     [](char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; });
    return is_mca ? "OMPI_MCA_" + variable : variable;
}

environment_words environment_of(std::vector<setting> const& settings) {
    environment_words words;
    for (auto const& s : settings) words.push_back(environment_name(s.variable) + '=' + s.value);
    return words;
}

} // namespace tools::tune
