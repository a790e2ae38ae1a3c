// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <string_view>

namespace sonde::detail {

/// Makes every head of a table of results a button that sorts the rows: upwards, and downwards at the second press.
/// Numbers by value, texts by letters, dashes last. Without it the tables stand as they were measured.
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

/// By which a browser knows that script, and runs no other: SHA-256 in base 64. tests/html/page.py says what it must
/// be.
inline constexpr std::string_view html_script_hash = "IfTf0mnGaNDG0Q2z3MZ+QPmmesfk5dihPznJsYe4CbE=";

} // namespace sonde::detail
