// SPDX-License-Identifier: BSL-1.0
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <sonde/shmem/session.hpp>

#include <shmem.h>

#include <cstdio>

namespace {

/// Ends the job when a test throws on a PE, because other PEs may wait for it.
struct aborts : doctest::IReporter {
    explicit aborts(doctest::ContextOptions const&) {}
    void test_case_exception(doctest::TestCaseException const& e) override {
        std::fprintf(stderr, "PE %d: %s\n", shmem_my_pe(), e.error_string.c_str());
        shmem_global_exit(1);
    }
    void report_query(doctest::QueryData const&) override {}
    void test_run_start() override {}
    void test_run_end(doctest::TestRunStats const&) override {}
    void test_case_start(doctest::TestCaseData const&) override {}
    void test_case_reenter(doctest::TestCaseData const&) override {}
    void test_case_end(doctest::CurrentTestCaseStats const&) override {}
    void subcase_start(doctest::SubcaseSignature const&) override {}
    void subcase_end() override {}
    void log_assert(doctest::AssertData const&) override {}
    void log_message(doctest::MessageData const&) override {}
    void test_case_skipped(doctest::TestCaseData const&) override {}
};
REGISTER_LISTENER("aborts", 1, aborts);

} // namespace

int main(int argc, char** argv) {
    sonde::shmem::session const session;
    doctest::Context context{argc, argv};
    context.setOption("minimal", shmem_my_pe() != 0);
    context.setOption("no-colors", true);
    return context.run();
}
