// SPDX-License-Identifier: BSL-1.0
// Buffer places of the command line, in builds with any device or none.
#include "osu/driver/buffer_places.hpp"
#include "osu/driver/mpi_library.hpp"
#include "osu/driver/osu_driver.hpp"
#include "osu/driver/osu_option_table.hpp"
#include "osu/driver/osu_options.hpp"
#include "osu/driver/osu_program.hpp"
#include "osu/driver/osu_table.hpp"
#include "osu/pt2pt/messages.hpp"
#include "osu/pt2pt/pt2pt_driver.hpp"
#include "osu/xccl/nccl_library.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using osu::memory_kind;

// Of the build: what D and what MD select, and its name in titles.
constexpr bool has_rocm = suite::is_built(suite::device_api::rocm);
constexpr osu::memory_choice gpu{memory_kind::device, suite::gpu_api};
constexpr osu::memory_choice device{memory_kind::device, suite::default_api};
std::string const gpu_name = has_rocm ? "ROCM" : "CUDA";

osu::program program_of(osu::option_set accepted, osu::metric shows = osu::metric::latency) {
    return {
        .name = "osu_x", .title = "OSU MPI X Test", .moved_by = osu::mpi_library, .accepted = accepted, .shows = shows};
}

osu::program const messages = program_of(osu::bandwidth_options, osu::metric::bandwidth);
osu::program const host_only = program_of(osu::latency_options - osu::buffer_options);
osu::program const fan = program_of(osu::latency_options - osu::option_name::staged, osu::metric::congestion);

osu::program collective_program() {
    auto found = program_of(osu::common_options | osu::validation_options | osu::datatype_options |
                                osu::option_set{osu::option_name::full, osu::option_name::memory_limit,
                                                osu::option_name::array_size, osu::option_name::in_place,
                                                osu::option_name::accelerator, osu::option_name::work_place},
                            osu::metric::overlap);
    found.managed_sides = false;
    return found;
}
osu::program const collective = collective_program();

osu::program window_program() {
    auto found = program_of(osu::common_options |
                            osu::option_set{osu::option_name::window_creation, osu::option_name::window_synchronization,
                                            osu::option_name::accelerator});
    found.managed_sides = false;
    return found;
}

osu::options parsed(osu::program const& about, std::string const& line) {
    auto const words = osu::split(line.empty() ? "osu_x" : "osu_x " + line, ' ');
    std::vector<char const*> all;
    for (auto const& w : words) all.push_back(w.c_str());
    return osu::parse(about, static_cast<int>(all.size()), all.data());
}

osu::program nccl_program() {
    return {.name = "osu_x",
            .title = "OSU NCCL X Test",
            .moved_by = osu::nccl_library,
            .accepted = osu::bandwidth_options - osu::option_name::staged,
            .shows = osu::metric::bandwidth};
}

std::string refused(osu::program const& about, std::string const& line) {
    try {
        parsed(about, line);
    } catch (osu::refusal const& e) {
        return e.what();
    }
    return "";
}

std::string title(osu::program const& about, std::string const& line) {
    return osu::table::title_of(about, osu::title_suffix(about, parsed(about, line)));
}

} // namespace

TEST_CASE("an empty word is refused, as the value of any option, behind any option and alone") {
    for (auto const& about : {messages, collective, window_program()}) {
        osu::options into;
        for (auto const& o : osu::option_table(into, about)) {
            CAPTURE(o.name);
            auto const text = refused(about, "--" + o.name + " "); // two words, the second one empty
            if (o.value.takes == suite::arity::one) CHECK(text.find(" '']; accepted: ") != text.npos);
            else if (o.name != "help" && o.name != "version")
                CHECK(text.starts_with("Empty word [--" + o.name + " '']"));
        }
    }
    CHECK(refused(messages, "-m ") == "Invalid Message Size [-m '']; accepted: MAX, MIN:MAX, MIN: or :MAX in bytes");
    CHECK(refused(messages, " -c").starts_with("Empty word ['']; accepted: "));
    CHECK(refused(messages, "--message-size=") != "");
}

TEST_CASE("the four buffer places combine freely for both sides, and select a device if one needs it") {
    struct meaning {
        char const* word;
        memory_kind where;
    };
    constexpr meaning all[] = {{"H", memory_kind::host},
                               {"D", memory_kind::device},
                               {"MH", memory_kind::managed_host},
                               {"MD", memory_kind::managed_device}};
    for (auto const& from : all)
        for (auto const& to : all) {
            auto const found = parsed(messages, std::string{from.word} + " " + to.word);
            CHECK(found.placement == osu::buffer_placement{from.where, to.where});
            auto const host = from.where == memory_kind::host && to.where == memory_kind::host;
            auto const managed = osu::is_managed(from.where) || osu::is_managed(to.where);
            CHECK(found.on == (host ? std::nullopt : std::optional{managed ? gpu : device}));
            CHECK(found.buffers_apart == managed); // as -b multiple
            CHECK_FALSE(found.bare_managed);
        }
}

TEST_CASE("without buffer places the buffers are in host memory, for any -d") {
    CHECK_FALSE(parsed(messages, "-d cuda").placement);
    using osu::device_api, osu::memory_choice;
    CHECK(parsed(messages, "-d cuda").on == memory_choice{memory_kind::device, device_api::cuda});
    CHECK(parsed(messages, "-d MANAGED").on == memory_choice{memory_kind::managed});
    CHECK(parsed(messages, "--accelerator=Cuda").on == memory_choice{memory_kind::device, device_api::cuda});
    CHECK(parsed(messages, "-d managed D D").on == memory_choice{memory_kind::managed});
    CHECK(parsed(messages, "-d OpenACC D D").on == memory_choice{memory_kind::device, device_api::openacc});
    CHECK(parsed(messages, "-d ROCm MD D").on == memory_choice{memory_kind::device, device_api::rocm});
}

TEST_CASE("M is managed memory of the host, and is recorded as M") {
    auto const found = parsed(messages, "M MD");
    CHECK(found.placement == osu::buffer_placement{memory_kind::managed_host, memory_kind::managed_device});
    CHECK(found.bare_managed);
}

TEST_CASE("buffer places may precede options, and follow one with an optional argument") {
    for (auto const* line : {"D H -i 5", "-i 5 D H", "-z D H", "-c D H", "D -i 5 H"}) {
        CAPTURE(line);
        CHECK(parsed(messages, line).placement == osu::buffer_placement{memory_kind::device, memory_kind::host});
    }
    CHECK(parsed(messages, "-z D H").percentiles == std::vector{50, 90, 99});
}

TEST_CASE("sizes have four syntaxes, and an argument that may be missing is attached, separate, or behind a name") {
    auto const sizes = [](std::string const& line) {
        auto const asked = parsed(messages, line);
        return std::pair{asked.min_size, asked.max_size};
    };
    CHECK(sizes("-m4") == std::pair{std::size_t{1}, std::size_t{4}});
    for (auto const* line : {"-m2:4", "-m 9 -m 2:4", "--message-size=2:4", "H H -m 2:4"})
        CHECK(sizes(line) == std::pair{std::size_t{2}, std::size_t{4}});
    for (auto const* line : {"--message-size=:2", "--mess=0:2"})
        CHECK(sizes(line) == std::pair{std::size_t{1}, std::size_t{2}});
    CHECK(sizes("-m 2097152:") == std::pair{std::size_t{1} << 21, std::size_t{1} << 22});
    for (auto const* line : {"-z50,99", "-z 50,99", "--tail-lat=50,99", "--tail-lat 50,99", "-z1 -z50,99 -c H H"})
        CHECK(parsed(messages, line).percentiles == std::vector{50, 99});
    for (auto const* line : {"-z", "-c -z", "-z H H"})
        CHECK(parsed(messages, line).percentiles == std::vector{50, 90, 99});
    CHECK(refused(messages, "-cz").starts_with("Invalid Validation Argument [-c z]; accepted: ")); // -c takes the rest
    CHECK(parsed(messages, "--validation").check.on);
    CHECK(parsed(messages, "--check-bits").check.bits == 100);
    CHECK(parsed(messages, "--check-bits=7").check.bits == 7);
    CHECK(parsed(messages, "-i 9 -x 3 -i 4 --warmup=1").iterations == 4);
    auto const rates = program_of(osu::bandwidth_options | osu::option_name::vary_window, osu::metric::rate);
    for (auto const* line : {"-V", "--vary-window", "--vary-window 1", "-Vz", "--vary-window=1"})
        CHECK(parsed(rates, line).vary_window);
}

TEST_CASE("a value that an option does not take is refused with the option, the value and the accepted values") {
    constexpr std::string_view all[] = {
        "Invalid option [-q]; accepted: -h -v ",
        "Invalid option [--quick]; accepted: -h -v ",
        "Invalid option [-M]; accepted: -h -v ",
        "Invalid Number of Iterations [-i 0]; accepted: a whole number from 1",
        "Invalid Number of Iterations [-i 10k]; accepted: a whole number from 1",
        "Invalid Number of Warmup Iterations [-x -1]; accepted: a whole number from 0",
        "Invalid Window Size [-W 0]; accepted: a whole number from 1",
        "Invalid Number of Probes [-t two]; accepted: ",
        "Invalid Number of Validation Warmup Iterations [-u 11]; accepted: a whole number from 0 to 10",
        "Percentile range must be in between 0 and 100 [-z 50,101]; accepted: ",
        "Percentile range must be in between 0 and 100 [-z 50,]; accepted: ",
        "Invalid Message Size [-m 8:4]; accepted: a MAX that is not below MIN (8)",
        "Invalid Message Size [-m -5]; accepted: MAX",
        "Invalid Message Size [-m 4K]; accepted: MAX",
        "Invalid Message Size [-m :]; accepted: MAX",
        "Invalid Message Size [-m 1:2:3]; accepted: MAX",
        "Invalid Message Size [-m 0:]; accepted: a MIN of at least 1 in MIN:",
        "Invalid Message Size [-m 0]; accepted: a MAX that is not below MIN (1)",
        "Invalid Buffer Type [-b both]; accepted: 'single' or 'multiple'",
        "Invalid datatype [-T mpi_double]; accepted: mpi_char, mpi_int, mpi_float or all",
        "Invalid graph type [-G gif]; accepted: tty, png, pdf",
        "Invalid ddt type [-D ring]; accepted: cont, vect:STRIDE:BLOCK or indx:FILE",
        "Invalid ddt arguments [-D vect:4]; accepted: vect:STRIDE:BLOCK",
        "Invalid option: PAPI is not built in [-P PAPI_TOT_INS]; accepted: ",
        "Invalid report [--report xml=f]; accepted: table=FILE, csv=FILE, json=FILE, html=FILE, openmetrics=FILE or "
        "plot=FILE",
        "Invalid report [--report csv]; accepted: ",
        "Invalid precision [--until no]; accepted: PERCENT from 0.001 to 99",
        "Invalid precision [--until 0]; accepted: ",
        "Invalid precision [--until 5%%]; accepted: ",
        "Invalid budget [--budget -1]; accepted: SECONDS from 1e-6 to 1e6",
        "Invalid start [--sync often]; accepted: none, barrier, dissemination, window"};
    for (auto const text : all) {
        auto const begin = text.find('[') + 1;
        std::string const given{text.substr(begin, text.find(']') - begin)};
        auto const found = refused(messages, given);
        CAPTURE(found);
        CHECK(found.starts_with(text));
    }
    CHECK(refused(messages, "-m").starts_with("Option Missing Required Argument [-m]"));
    CHECK(refused(messages, "-clogs") == "Invalid Validation Argument [-c logs]; accepted: -c, -clog or -clog:DIR");
    CHECK(refused(messages, "-D vect:2:4").find("overlap") != std::string::npos);
    for (auto const* both : {"-c -D cont", "-D cont -c"})
        CHECK(refused(messages, both) ==
              "Derived data type does not support validation [-c -D]; accepted: one of the two");
    CHECK(refused(host_only, "-W4").starts_with("Invalid option [-W"));
}

TEST_CASE("an unsupported buffer place is refused with the supported ones") {
    CHECK(refused(messages, "D") == "Invalid word [D]; accepted beside options: two of H, D, MH, MD");
    CHECK(refused(messages, "D D D") == "Invalid word [D]; accepted beside options: two of H, D, MH, MD");
    CHECK(refused(messages, "D X") == "Invalid word [X]; accepted beside options: two of H, D, MH, MD");
    CHECK(refused(messages, "MX D") == "Invalid word [MX]; accepted beside options: two of H, D, MH, MD");
    CHECK(refused(window_program(), "MH H") == "Invalid word [MH]; accepted beside options: two of H, D, M");
    CHECK(refused(collective, "D H") == "Buffers of a collective are of one kind [D H]; accepted: H H, D D or M M");
    for (std::string const given : {"-d cuda H H", "-d cuda M M", "-d managed H H", "-d managed D D", "-d rocm M M",
                                    "-d rocm H H", "-d openacc M M"})
        CHECK(refused(collective, given) ==
              std::string{"Buffers of a collective are where -d says ["}
                  .append(given, given.size() - 3)
                  .append("]; accepted: -d cuda, rocm, openacc or D D, -d managed or M M"));
    for (auto const* given : {"-d cuda D D", "-d rocm D D", "-d openacc D D", "-d managed M M", "H H"})
        CHECK(refused(collective, given).empty());
    CHECK(refused(host_only, "D D") ==
          "Benchmark Does Not Support Accelerator Transfers [D]; accepted beside options: H H");
    CHECK(refused(host_only, "8") == "Invalid word [8]; accepted beside options: H H");
    CHECK(refused(host_only, "H H").empty());
}

TEST_CASE("invalid arguments of -d, -r and --staged are refused") {
    CHECK(refused(messages, "-d gpu") ==
          "Invalid Accel Type Specified [-d gpu]; accepted: cuda, managed, openacc, rocm");
    CHECK(refused(messages, "-d openacc MD H") == "OpenACC has no managed memory [MD H]; accepted: words of H and D");
    CHECK(refused(nccl_program(), "-d openacc") ==
          std::string{osu::nccl_library.title} +
              " takes no memory of OpenACC [-d openacc]; accepted: cuda, managed, rocm");
    CHECK(refused(collective, "-r disk") == "Please use cpu, gpu, or both [-r disk]; accepted: one of them");
    CHECK(refused(host_only, "-d cuda").starts_with("Invalid option [-d]; accepted: -h"));
    CHECK(refused(messages, "--staged H H") ==
          "No buffer is on a device [--staged]; accepted beside it: words of which one is D");
    CHECK(refused(messages, "--staged MD MD").starts_with("No buffer is on a device [--staged]"));
    CHECK(refused(messages, "--staged H D").empty());
    CHECK(refused(window_program(), "--staged D D").starts_with("Invalid option [--staged]"));
    CHECK(refused(fan, "--staged D D").starts_with("Invalid option [--staged]"));
}

TEST_CASE("an option whose name is a placeholder of Boost's messages is refused") {
    CHECK(refused(messages, "---m 4").starts_with("Invalid option [---m]; accepted: -h"));
    CHECK(refused(messages, "-=").starts_with("Invalid option [-=]; accepted: -h"));
    CHECK(refused(messages, "--%canonical_option%").starts_with("Invalid option [--%canonical_option%]; accepted: -h"));
    CHECK(refused(messages, "--%canonical_option%=") ==
          "Invalid option: option '--%canonical_option%' is not valid; see -h");
}

TEST_CASE("the reason for a device is quoted as written") {
    auto const wish = [](std::string const& line) { return osu::device_request(parsed(collective, line)); };
    CHECK(wish("H H").empty());
    CHECK(wish("-r cpu").empty());
    CHECK(wish("-r both") == "-r both");
    CHECK(wish("-d managed") == "-d managed");
    CHECK(wish("-d OPENACC") == "-d openacc");
    CHECK(wish("-d rocm") == "-d rocm");
    CHECK(wish("D D") == "D D");
    CHECK(osu::device_request(parsed(messages, "MD H")) == "MD H");
    CHECK(osu::device_request(parsed(messages, "D H --staged")) == "D H --staged");
}

TEST_CASE("the title has OMB's suffix behind its second word") {
    CHECK(title(messages, "H H") == "# OSU MPI X Test v7.4");
    CHECK(title(messages, "-d cuda") == "# OSU MPI-CUDA X Test v7.4");
    CHECK(title(messages, "-d openacc D H") == "# OSU MPI-OPENACC X Test v7.4");
    CHECK(title(collective, "-d rocm") == "# OSU MPI-ROCM X Test v7.4");
    CHECK(title(messages, "MH H") == "# OSU MPI-" + gpu_name + " X Test v7.4");
    CHECK(title(messages, "-d managed") == "# OSU MPI X Test v7.4");
    CHECK(title(collective, "-d managed") == "# OSU MPI-MANAGED X Test v7.4");
    CHECK(title(collective, "M M") == "# OSU MPI-MANAGED X Test v7.4");
    CHECK(title(messages, "-d managed -v") == "# OSU MPI-" + gpu_name + " MANAGED X Test v7.4");
    auto bare = messages;
    bare.style.suffixed = false;
    CHECK(title(bare, "D D") == "# OSU MPI X Test v7.4");
}

TEST_CASE("placements are printed with the program's buffer places") {
    CHECK(osu::place_label(messages, memory_kind::host) == "HOST (H)");
    CHECK(osu::place_label(messages, memory_kind::device) == "DEVICE (D)");
    CHECK(osu::place_label(messages, memory_kind::managed_host) == "MANAGED (MH)");
    CHECK(osu::place_label(messages, memory_kind::managed_device) == "MANAGED (MD)");
    CHECK(osu::place_label(window_program(), memory_kind::managed_device) == "MANAGED (M)");
}

TEST_CASE("the help explains the program's buffer places") {
    CHECK(osu::usage(messages).starts_with("Usage: osu_x [options] [SRC DST]\n"));
    CHECK(osu::usage(messages).find("\n  MD  managed memory") != std::string::npos);
    CHECK(osu::usage(collective).find("\n  MD ") == std::string::npos);
    CHECK(osu::usage(host_only).starts_with(
        "Usage: osu_x [options] [SRC DST]\nSRC DST can only be H H, in host memory.\n\nOptions:\n"));
}

TEST_CASE("points have parameters of both buffer places, also of the host's, if places or -d are given") {
    osu::datatype const type{};
    auto const parameters = [&](std::string const& line, osu::program const& about = messages) {
        std::string all;
        for (auto const& p : osu::point_of(about, parsed(about, line), {type, 8}).parameters)
            if (p.name == "from" || p.name == "to" || p.name == "staged") all += p.name + "=" + p.text + " ";
        return all;
    };
    CHECK(parameters("") == "");
    CHECK(parameters("H H") == "from=H to=H staged=no ");
    CHECK(parameters("H MD") == "from=H to=MD staged=no ");
    CHECK(parameters("D MH --staged") == "from=D to=MH staged=yes ");
    CHECK(parameters("-d cuda") == "from=H to=H staged=no ");
    CHECK(parameters("D D", fan) == "from=D to=D ");
    CHECK(parameters("H M", window_program()) == "from=H to=M ");
    CHECK(parameters("H H", host_only) == "");
}

TEST_CASE("OMB subtracts the touch cost if managed memory is touched on a device") {
    auto const off = [](osu::metric as, std::string const& words, bool initiator_receives = true) {
        return osu::subtracted_launches(as, initiator_receives, *parsed(messages, words).placement, 64);
    };
    using enum osu::metric;
    CHECK(off(latency, "MD MD") == 2);
    CHECK(off(latency, "H MD") == 1);
    CHECK(off(latency, "MH MH") == 0);
    CHECK(off(bandwidth, "MD MD") == 128); // both directions
    CHECK(off(bandwidth, "MD H") == 64);
    for (auto const as : {bandwidth, congestion}) {
        CHECK(off(as, "MD H", false) == 0);
        CHECK(off(as, "MD MD", false) == 64);
        CHECK(off(as, "D MD", false) == 64);
    }
}

TEST_CASE("a subtracted cost shortens every iteration by the same time") {
    using sonde::seconds;
    sonde::record r;
    r.series = {seconds{5}, seconds{7}};
    r.over_ranks = {seconds{5}, seconds{6}, seconds{7}};
    r.first = seconds{9};
    r.overflow.resize(1);
    for (auto const t : {3, 5, 5}) r.overflow[0].add(seconds{t});
    auto const found = osu::without_touch_cost(r, seconds{2});
    CHECK(found.overflow[0].count() == 3);
    sonde::histogram expected; // a bucket's middle is known
    for (auto const t : {3, 5, 5}) {
        sonde::histogram alone;
        alone.add(seconds{t});
        expected.add(alone.quantile(0.5) - seconds{2});
    }
    CHECK(found.overflow[0].quantile(0.5).count() == expected.quantile(0.5).count());
    CHECK(found.series == std::vector{seconds{3}, seconds{5}});
    CHECK(found.over_ranks.min == seconds{3});
    CHECK(found.over_ranks.mean == seconds{4});
    CHECK(found.over_ranks.max == seconds{5});
    CHECK(found.first == seconds{9});
}

TEST_CASE("values that one kind of program alone takes are refused with those that it accepts") {
    auto const all = osu::latency_options | osu::option_set{osu::option_name::test_calls,
                                                            osu::option_name::window_size,
                                                            osu::option_name::pairs,
                                                            osu::option_name::print_rate,
                                                            osu::option_name::vary_window,
                                                            osu::option_name::root_rank,
                                                            osu::option_name::neighborhood,
                                                            osu::option_name::array_size,
                                                            osu::option_name::memory_limit,
                                                            osu::option_name::window_creation,
                                                            osu::option_name::window_synchronization};
    auto one = program_of(all);
    for (std::string const text :
         {"Invalid Print Rate [-R 2]; accepted: a whole number from 0 to 1",
          "Invalid Number of Pairs [-p 0]; accepted: ",
          "The table of -V has no place for more columns [-V --honest]; accepted: ",
          "Invalid cache policy [--cache cold]; accepted: warm, rotating, flushed",
          "Contents of buffers that rotate are not checked [--cache rotating -c]; accepted: one of the two",
          "Ranks that do not wait would flush caches while others measure [--cache flushed --sync none]; accepted: "
          "another",
          "Invalid root rank [-k fixed]; accepted: rotate, or fixed:R with a rank R",
          "Invalid root rank [-k fixed:-1]; accepted: ", "Invalid Device Array Size [-a 0]; accepted: ",
          "Invalid Memory Limit [-M 1k]; accepted: ", "Invalid topology [-N cart:1]; accepted: graph:FILE, or cart:",
          "Invalid topology [-N ring:1:1]; accepted: ",
          "Invalid option or invalid argument [-w shared]; accepted: create, allocate, dynamic",
          "Invalid option or invalid argument [-s unlock]; accepted: lock, flush, flush_local, lock_all, pscw, "
          "fence"}) {
        auto const begin = text.find('[') + 1;
        auto const found = refused(one, text.substr(begin, text.find(']') - begin));
        CAPTURE(found);
        CHECK(found.starts_with(text));
    }
    CHECK(refused(messages, "--cache flushed").ends_with(" [--cache flushed -b single]; accepted: -b multiple"));
    for (auto const* bad : {"0", "128", "2:0", "0:2", "2:", ":2", "1:2:3", "x", "2x"})
        for (auto const& [meaning, what] :
             {std::pair{osu::probes::threads, "Threads"}, {osu::probes::processes, "Processes"}}) {
            one.t_means = meaning;
            auto const found = refused(one, std::string{"-t "} + bad);
            CAPTURE(found);
            CHECK(found.starts_with(std::string{"Invalid Number of "} + what + " [-t " + bad + "]; accepted: "));
            CHECK(found.find("127") != std::string::npos);
        }
}
