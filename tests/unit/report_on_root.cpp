// SPDX-License-Identifier: BSL-1.0
#include <sonde/report.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "report_support.hpp"
#include "support.hpp"

namespace {

struct counted {
    int* calls;
    void operator()(sonde::record const&) { ++*calls; }
};

} // namespace

TEST_CASE("on_root passes records on on rank 0 only") {
    auto const calls = unit::on_ranks(3, {}, [](unit::process& self) {
        int heard = 0;
        auto group = self.group();
        sonde::on_root report{group, counted{&heard}};
        report(reports::example());
        return heard;
    });
    CHECK(calls == std::vector{1, 0, 0});
}

TEST_CASE("on_root makes a reporter on rank 0 only: a file is opened once") {
    auto const made = unit::on_ranks(3, {}, [](unit::process& self) {
        int makings = 0, heard = 0;
        auto group = self.group();
        sonde::on_root report{group, [&] {
                                  ++makings;
                                  return counted{&heard};
                              }};
        report(reports::example());
        return 10 * makings + heard;
    });
    CHECK(made == std::vector{11, 0, 0});
}

TEST_CASE("a reporter that cannot be made is an error on every rank, on rank 0 with its own words") {
    auto const said = unit::on_ranks(3, {}, [](unit::process& self) -> std::string {
        auto group = self.group();
        int unused = 0;
        try {
            sonde::on_root report{group, [&]() -> counted {
                                      if (group.rank() == 0) throw std::invalid_argument{"no such file"};
                                      return {&unused};
                                  }};
        } catch (std::runtime_error const& e) {
            return e.what();
        } catch (std::invalid_argument const& e) {
            return e.what();
        }
        return "made";
    });
    CHECK(said[0] == "no such file");
    CHECK(said[1] == "sonde::on_root: rank 0 could not make its reporter");
    CHECK(said[2] == said[1]);
}
