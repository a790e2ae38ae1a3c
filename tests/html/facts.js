// SPDX-License-Identifier: BSL-1.0
// Facts of a page that the checks use: evaluated outside the page, never part of it.
"use strict";
(() => {
  const root = document.documentElement;
  const box = (e) => e.getBoundingClientRect();
  const inside = (a, b) => a.left >= b.left - 1 && a.right <= b.right + 1 && a.top >= b.top - 1 && a.bottom <= b.bottom + 1;
  const overlap = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const texts = (svg) => [...svg.querySelectorAll("text")].filter((t) => t.textContent.trim() !== "");
  const pairs = (all) => all.flatMap((a, i) => all.slice(i + 1).map((b) => [a, b]));
  const clipped = (e) => {
    const style = getComputedStyle(e);
    return [style.overflowX, style.overflowY].some((o) => o !== "visible");
  };
  return {
    width: root.clientWidth,
    needed: root.scrollWidth,
    wide: [...document.querySelectorAll("body *")].filter((e) => !e.closest(".box") && !e.closest("svg")
      && box(e).right > root.clientWidth + 1).map((e) => e.tagName),
    boxes: [...document.querySelectorAll(".box")].map((e) => [e.clientWidth, e.scrollWidth, e.tabIndex]),
    figures: [...document.querySelectorAll("figure svg")].map((svg) => ({
      role: svg.getAttribute("role"),
      label: svg.getAttribute("aria-label"),
      ratio: box(svg).width / box(svg).height,
      share: box(svg).width / box(svg.parentElement).width,
      ground: getComputedStyle(svg.parentElement).backgroundColor,
      texts: texts(svg).map((t) => t.textContent.trim()),
      outside: texts(svg).filter((t) => !inside(box(t), box(svg))).map((t) => t.textContent.trim()),
      overlapping: pairs(texts(svg)).filter(([a, b]) => overlap(box(a), box(b)))
        .map((two) => two.map((t) => t.textContent.trim())),
      crossed: texts(svg).filter((t) => [...svg.querySelectorAll("[id*=gnuplot_plot_] use")]
        .some((mark) => overlap(box(mark), box(t)))).map((t) => t.textContent.trim()),
    })),
    ids: pairs([...document.querySelectorAll("[id]")].map((e) => e.id)).filter(([a, b]) => a === b),
    dangling: [...document.querySelectorAll("use")].map((u) => u.getAttribute("xlink:href"))
      .filter((name) => !document.getElementById(name.slice(1))),
    clipped: [...document.querySelectorAll("main, main *:not(svg *)")].filter(clipped).filter((e) => e.tagName !== "svg")
      .map((e) => e.tagName),
    colors: [getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor],
    addresses: [...document.querySelectorAll("[src], [href]")].map((e) => e.getAttribute("src") || e.getAttribute("href")),
    strange: [...document.querySelectorAll("img, iframe, object, embed, link, a")].length,
    scripts: document.scripts.length,
    language: root.lang,
    headings: [...document.querySelectorAll("h1, h2, h3")].map((h) => h.tagName + " " + h.textContent),
    captions: [...document.querySelectorAll("table")].every((t) => t.caption && t.querySelectorAll("thead th[scope=col]").length
      === t.rows[0].cells.length),
    numbers: [...document.querySelectorAll("td.number")].every((c) => getComputedStyle(c).textAlign === "right"
      && getComputedStyle(c).fontVariantNumeric.includes("tabular-nums")),
    rows: [...document.querySelectorAll("table.results")].map((t) => t.tBodies[0].rows.length),
    failed: [...document.querySelectorAll("tr.failed")].map((r) => r.textContent.includes("\u2717")
      && getComputedStyle(r.cells[0]).fontWeight >= 600),
  };
})();
