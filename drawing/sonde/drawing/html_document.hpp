// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/report/text.hpp>
#include <sonde/version.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sonde::inline v0_1::detail {

/// Untrusted text (parameters, command lines, host names) for use between tags or in quoted attributes. Browsers take
/// no part of it as markup.
std::string html_escaped(std::string_view text);

/// A section of terms and their definitions, all escaped by the caller. Terms with an empty definition are left out.
std::string html_definitions(std::string const& heading, std::vector<std::pair<std::string, std::string>> const& all);

/// The style sheet of a page: for screens (light, dark, narrow, high contrast, forced colors) and paper. Figures stay
/// on white, as they are drawn.
inline constexpr std::string_view html_style = R"css(
:root { color-scheme: light dark; --ground: #fff; --card: #f6f7f9; --ink: #1c2430; --soft: #566273; --line: #d9dee6;
  --accent: #0a5ea8; --bad: #a3160f; --bad-ground: #fdecea; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #14181f; --card: #1c222b; --ink: #e4e8ee; --soft: #a3aebd; --line: #343d4a; --accent: #7fbcf5;
    --bad: #ffa198; --bad-ground: #401f1f; }
}
@media (prefers-contrast: more) {
  :root { --ink: #000; --soft: #000; --line: #000; --accent: #003a70; --bad: #7a0000; }
}
@media (prefers-contrast: more) and (prefers-color-scheme: dark) {
  :root { --ground: #000; --ink: #fff; --soft: #fff; --line: #fff; --accent: #a8d5ff; --bad: #ffc4bd; }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0 auto; padding: 2rem clamp(1rem, 4vw, 2.5rem) 3rem; max-width: 82rem; background: var(--ground);
  color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; font-weight: 650; letter-spacing: -0.01em; }
h2 { margin: 2.5rem 0 0.75rem; font-size: 1.2rem; font-weight: 650; }
p { margin: 0.5rem 0; }
code { font: 0.9em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.conclusions { font-size: 1.05rem; }
.box + .box { margin-top: 1rem; }
.summary, caption, footer, .note { color: var(--soft); font-size: 0.9rem; }
.alarm { margin: 1rem 0; padding: 0.5rem 0.9rem; border-left: 0.3rem solid var(--bad); background: var(--bad-ground);
  color: var(--bad); font-weight: 600; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 28rem), 1fr)); gap: 1rem;
  margin-bottom: 1rem; }
figure { margin: 0; padding: 0.5rem; border: 1px solid var(--line); border-radius: 0.4rem; background: #fff;
  max-width: 45rem; }
figcaption { padding: 0.25rem 0.5rem 0; color: #1c2430; font-size: 0.9rem; text-align: center; }
figure svg { display: block; width: 100%; height: auto; }
.box { overflow-x: auto; border: 1px solid var(--line); border-radius: 0.4rem; }
.box:focus-visible, button:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
table { width: 100%; border-collapse: separate; border-spacing: 0; font-size: 0.9rem; overflow-wrap: normal; }
caption { padding: 0.5rem 0.6rem; text-align: left; }
th, td { padding: 0.35rem 0.6rem; text-align: left; vertical-align: baseline; border-top: 1px solid var(--line); }
th { background: var(--card); font-weight: 600; vertical-align: bottom; }
th:has(button) { padding: 0; }
td { unicode-bidi: isolate; }
td.number { white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums lining-nums; }
button { width: 100%; padding: 0.35rem 0.6rem; border: 0; background: none; color: inherit; font: inherit;
  text-align: inherit; cursor: pointer; }
button:hover { color: var(--accent); }
th[aria-sort] button::after { content: "\00a0\25b2"; color: var(--accent); font-size: 0.7em; }
th[aria-sort="descending"] button::after { content: "\00a0\25bc"; }
tbody tr:hover td { background: var(--card); }
tr.failed td, tbody tr.failed:hover td { background: var(--bad-ground); color: var(--bad); font-weight: 600; }
tr.failed td:first-child { box-shadow: inset 0.3rem 0 var(--bad); }
dl { display: grid; grid-template-columns: minmax(12rem, max-content) 1fr; margin: 0; border-top: 1px solid var(--line); }
dt, dd { margin: 0; padding: 0.4rem 0; border-bottom: 1px solid var(--line); font-size: 0.9rem; unicode-bidi: isolate; }
dt { padding-right: 1.5rem; color: var(--soft); }
ul { margin: 0; padding: 0; list-style: none; max-height: 16rem; overflow-y: auto; }
footer { margin-top: 2.5rem; }
@media screen and (max-width: 60rem) {
  td:first-child, th:first-child { position: sticky; left: 0; z-index: 1; border-right: 1px solid var(--line); }
  td:first-child { background: var(--ground); }
}
@media (max-width: 36rem) {
  body { padding-top: 1.25rem; }
  dl { display: block; }
  dt { padding: 0.5rem 0 0; border: 0; }
  dd { padding-top: 0; }
  th, td, button { padding-left: 0.5rem; padding-right: 0.5rem; }
  th:has(button) { padding: 0; }
  figure { padding: 0.25rem; }
}
@media (forced-colors: active) { tr.failed td { border-bottom: 2px solid; } .alarm { border: 2px solid; } }
@media print {
  :root { color-scheme: light; --ground: #fff; --card: #fff; --ink: #000; --soft: #333; --line: #999; --accent: #000;
    --bad: #000; --bad-ground: #fff; }
  body { padding: 0; max-width: none; font-size: 10pt; }
  .figures { display: block; }
  figure { break-inside: avoid; max-width: 13cm; margin: 0 0 0.5cm; border: 0; padding: 0; }
  .box, ul { overflow: visible; max-height: none; border: 0; }
  table { border-collapse: collapse; font-size: 7pt; }
  caption, tbody tr:first-child { break-after: avoid; }
  tbody tr:first-child { break-before: avoid; }
  button { display: contents; }
  th, th:has(button), td { padding: 0.1rem 0.2rem; white-space: normal; }
  td:not(.number) { min-width: 6.5em; overflow-wrap: anywhere; }
  td.number { white-space: nowrap; }
  thead { display: table-header-group; }
  tr { break-inside: avoid; }
  h2 { break-after: avoid; margin-top: 1.5rem; }
}
)css";

/// The script of a page: each column head of a table of results becomes a button that sorts the rows, ascending and, at
/// the second press, descending. Numbers are sorted by value, texts alphabetically, dashes last. Without the script the
/// rows stay in the order of measurement.
inline constexpr std::string_view html_script = R"js(
"use strict";
for (const table of document.querySelectorAll("table.results")) {
  const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
  const text = (row, i) => row.cells[i].textContent;
  const value = (row, i) => parseFloat((text(row, i).match(/-?\d+(\.\d+)?(e[-+]?\d+)?/) || ["x"])[0]);
  const order = (a, b, i, number, sign) => {
    if (text(a, i) === "\u2013" || text(b, i) === "\u2013") return (text(a, i) === "\u2013") - (text(b, i) === "\u2013");
    if (!number) return sign * text(a, i).localeCompare(text(b, i), "en", {numeric: true});
    const x = value(a, i), y = value(b, i);
    return isNaN(x) || isNaN(y) ? isNaN(x) - isNaN(y) : sign * (x - y);
  };
  heads.forEach((head, i) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", sign === 1 ? "ascending" : "descending");
      const number = head.classList.contains("number");
      body.append(...[...body.rows].sort((a, b) => order(a, b, i, number, sign)));
    });
  });
}
)js";

/// SHA-256 of the script in base 64: by the page's policy, browsers run no other script. tests/html/page.py checks
/// it.
inline constexpr std::string_view html_script_hash = "IfTf0mnGaNDG0Q2z3MZ+QPmmesfk5dihPznJsYe4CbE=";

/// The beginning of a page. Its title is the program's name without its folder. Its policy loads nothing and runs no
/// script but `html_script`, in case untrusted text ever passes `html_escaped`.
std::string html_begin(std::string_view command_line);

/// The end of a page: the footer with the version and the time, and the script.
std::string html_end();

} // namespace sonde::detail
