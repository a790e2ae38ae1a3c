// SPDX-License-Identifier: BSL-1.0
#include <sonde/drawing/html_contents.hpp>
#include <sonde/drawing/html_document.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using sonde::detail::html_escaped;

namespace {

std::string const mark = "\xef\xbf\xbd"; // U+FFFD

std::string drawn(std::string const& within) {
    return "<?xml version='1.0'?>\n<svg \n width='640' height='420'\n viewBox=\"0 0 640 420\"\n "
           "xmlns=\"x\">\n<title>Gnuplot</title>\n"
           "<desc>by</desc>\n<g id=\"all\">" +
           within + "</g>\n</svg>\n";
}

} // namespace

TEST_CASE("HTML: texts are escaped, between tags and in quotes of either kind") {
    CHECK(html_escaped("<script>alert('1')</script>") == "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;");
    CHECK(html_escaped("\" onload=\"x") == "&quot; onload=&quot;x");
    CHECK(html_escaped("a & b &lt;") == "a &amp; b &amp;lt;");
    CHECK(html_escaped("") == "");
}

TEST_CASE("HTML: characters of every length in UTF-8 stay as they are") {
    std::string const all = "A \xc2\xb5 \xe2\x80\x93 \xed\x9f\xbf \xf0\x9f\x98\x80 \xf4\x8f\xbf\xbf\t\n";
    CHECK(html_escaped(all) == all);
}

TEST_CASE("HTML: bytes of invalid UTF-8 are replaced, each by itself") {
    CHECK(html_escaped("a\xff\xfe b") == "a" + mark + mark + " b");
    CHECK(html_escaped("\xe2\x80") == mark + mark);            // truncated
    CHECK(html_escaped("\xe2<b") == mark + "&lt;b");           // the next character stays
    CHECK(html_escaped("\xc0\xbc") == mark + mark);            // an overlong '<'
    CHECK(html_escaped("\xe0\x80\xbc") == mark + mark + mark); // the same, longer
    CHECK(html_escaped("\xf0\x80\x80\xbc") == mark + mark + mark + mark);
    CHECK(html_escaped("\xed\xa0\x80") == mark + mark + mark);            // half of a pair
    CHECK(html_escaped("\xf4\x90\x80\x80") == mark + mark + mark + mark); // beyond the last one
}

TEST_CASE("HTML: control characters are replaced, except tab and line feed") {
    CHECK(html_escaped(std::string{"a\0b\x1b[1m\r\x7f", 9}) == "a" + mark + "b" + mark + "[1m" + mark + mark);
}

TEST_CASE("HTML: a picture becomes a scalable element with an alternative text") {
    CHECK(sonde::detail::svg_element(drawn("<path/>"), "f1-", "a \"b\"") ==
          "<svg role=\"img\" aria-label=\"a &quot;b&quot;\" viewBox=\"0 0 640 420\">\n<g "
          "id=\"f1-all\"><path/></g>\n</svg>\n");
}

TEST_CASE("HTML: identifiers in a picture, and their references, become unique; similar words in texts stay") {
    CHECK(
        sonde::detail::svg_element(
            drawn(
                "<circle id='p'/><use xlink:href='#p' fill=\"url(#q)\"/><b color='#fff'/><text> id='p' url(#q)</text>"),
            "f2-", "")
            .find("<circle id='f2-p'/><use xlink:href='#f2-p' fill=\"url(#f2-q)\"/><b color='#fff'/><text> id='p' "
                  "url(#q)</text>") != std::string::npos);
}

TEST_CASE("HTML: invalid SVG throws") {
    CHECK_THROWS_WITH_AS(sonde::detail::svg_element("", "f1-", ""), "gnuplot drew no SVG", std::runtime_error);
    CHECK_THROWS_WITH_AS(sonde::detail::svg_element("<svg viewBox=\"\"><g >", "f1-", ""), "gnuplot drew no SVG",
                         std::runtime_error);
}
