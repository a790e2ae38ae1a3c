// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <doctest/doctest.h>

/// Calls `abort(text)` when a test throws on a rank, because other ranks may wait for it.
template <void (*abort)(char const*)>
struct aborting_listener : doctest::IReporter {
    explicit aborting_listener(doctest::ContextOptions const&) {}
    void test_case_exception(doctest::TestCaseException const& e) override { abort(e.error_string.c_str()); }
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
