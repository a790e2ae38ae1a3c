#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks the layout of a page in Chromium: facts, not pixels. Skips (77) without Chromium."""
import base64
import functools
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import browser

FACTS = (pathlib.Path(__file__).parent / "facts.js").read_text()
WIDTHS = (360, 800, 1400)


def setUpModule():
    global folder, page, tab
    folder = tempfile.TemporaryDirectory(prefix="sonde-page-")
    unittest.addModuleCleanup(folder.cleanup)
    page = os.path.join(folder.name, "page.html")
    subprocess.run([os.environ["HTML_PAGE"], page], check=True, timeout=30)
    tab = unittest.enterModuleContext(browser.Browser(browser.installed()))


@functools.cache
def facts(width, **media):
    if tab.path != page:
        tab.open(page)
    tab.show(width, **media) # a page that stays open is laid out anew, which is quicker than to load it
    return tab.value(FACTS)


class Layout(unittest.TestCase):
    def test_only_tables_in_scrolling_boxes_exceed_the_windows_width(self):
        for width in WIDTHS:
            found = facts(width)
            self.assertLessEqual(found["needed"], found["width"], width)
            self.assertEqual(found["wide"], [], width)
        narrow = facts(360)["boxes"]
        self.assertTrue(any(inner > outer for outer, inner, _ in narrow), "no table had to scroll: nothing was tried")
        self.assertEqual({key for _, _, key in narrow}, {0})

    def test_light_and_dark_have_contrast_and_figures_stay_on_white(self):
        grounds = set()
        for scheme in ("light", "dark"):
            for contrast in ("no-preference", "more"):
                found = facts(800, prefers_color_scheme=scheme, prefers_contrast=contrast)
                ink, ground = map(luminance, found["colors"])
                grounds.add(ground)
                self.assertGreater((max(ink, ground) + 0.05) / (min(ink, ground) + 0.05), 7, (scheme, contrast))
                self.assertEqual({f["ground"] for f in found["figures"]} - {"rgb(255, 255, 255)"}, set())
        self.assertEqual(len(grounds), 3) # white, and two dark ones

    def test_parts_of_a_page_have_accessible_names(self):
        found = facts(800)
        self.assertEqual(found["language"], "en")
        self.assertEqual(found["headings"][0], "H1 osu_latency")
        self.assertEqual([h for h in found["headings"][1:] if h.startswith("H1")], [])
        self.assertIn("H2 barrier", found["headings"])
        self.assertTrue(found["captions"])
        self.assertTrue(found["numbers"])
        self.assertEqual(found["ids"], [])
        self.assertEqual(found["rows"], [3, 46, 11, 1, 22])
        self.assertEqual(found["failed"], [True, True])


def luminance(color):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
              for c in (int(n) / 255 for n in re.findall(r"\d+", color)[:3])]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
class Figures(unittest.TestCase):
    def test_fill_the_width_with_their_aspect_ratio_and_have_an_alternative_text(self):
        for width in WIDTHS:
            figures = facts(width)["figures"]
            self.assertEqual(len(figures), 9) # eleven curves have two figures instead of one
            self.assertIn("Speed-up of each alternative", figures[0]["label"])
            for f in figures[1:5]:
                self.assertAlmostEqual(f["ratio"], 640 / 420, places=2)
            self.assertLess(figures[5]["ratio"], 1) # ten names of two lines enlarge it
            for f in figures:
                self.assertGreater(f["share"], 0.9)
                self.assertEqual(f["role"], "img")
            for f in figures[1:]:
                self.assertIn("message size (bytes)", f["label"])

    def test_legends_are_complete_and_not_covered(self):
        for width in WIDTHS:
            for f in facts(width)["figures"]:
                self.assertEqual((f["outside"], f["overlapping"], f["crossed"]), ([], [], []), width)
            legends = facts(width)["figures"][1]["texts"]
            self.assertTrue(any("synchronous_send_with_a_long_name" in t for t in legends), legends)
            self.assertTrue(any("send" in t and "synchronous" not in t for t in legends), legends)
            self.assertIn("several lines beside the", " ".join(facts(width)["figures"][0]["texts"]))
            many = " ".join(facts(width)["figures"][5]["texts"])
            self.assertEqual(many.count("to peer"), 10)

    def test_marks_are_found_by_their_names(self):
        self.assertEqual(facts(800)["dangling"], [])


TABLE = """document.querySelectorAll("table.results")[1]""" # the first one is of the comparison


class Sorting(unittest.TestCase):
    def column(self, title):
        return tab.value(f"""(() => {{
            const table = {TABLE};
            const i = [...table.tHead.rows[0].cells].findIndex((c) => c.textContent === {title!r});
            return [...table.tBodies[0].rows].map((r) => r.cells[i].textContent);
        }})()""")

    def press(self, title, by="click"):
        tab.value(f"""[...{TABLE}.querySelectorAll("th")].find((c) => c.textContent === {title!r})
            .firstElementChild.{by}()""")

    def directions(self):
        return tab.value(f"""Object.fromEntries([...{TABLE}.tHead.rows[0].cells]
            .filter((c) => c.ariaSort).map((c) => [c.textContent, c.ariaSort]))""")

    def setUp(self):
        tab.open(page)

    def test_numbers_are_sorted_by_value_ascending_then_descending(self):
        measured = self.column("bytes")
        self.press("bytes")
        self.assertEqual(self.column("bytes"), sorted(measured, key=int))
        self.assertEqual(self.directions(), {"bytes": "ascending"})
        self.press("bytes")
        self.assertEqual(self.column("bytes"), sorted(measured, key=int, reverse=True))
        self.assertEqual(self.directions(), {"bytes": "descending"})
        self.press("median (us)")
        self.assertEqual(self.column("median (us)"), sorted(self.column("median (us)"), key=float))
        self.assertEqual(self.directions(), {"median (us)": "ascending"})

    def test_missing_values_are_last_in_both_orders(self):
        for _ in range(2):
            self.press("batch")
            self.assertEqual(self.column("batch"), 20 * ["100"] + 26 * ["–"])

    def test_numbers_with_signs_are_sorted_as_numbers(self):
        self.press("errors")
        self.assertEqual(self.column("errors"), 44 * ["0"] + 2 * ["✗ 17"])

    def test_texts_are_sorted_alphabetically(self):
        self.press("link")
        self.press("link")
        self.assertEqual(self.column("link")[0], "synchronous_send_with_a_long_name")
        self.assertEqual(self.column("bytes")[:23], [str(2 ** k) for k in range(23)]) # equal ones stay in order

    def test_columns_are_sorted_by_keyboard(self):
        self.press("bytes", "focus")
        for direction in ("ascending", "descending"):
            tab.press("Enter")
            self.assertEqual(self.directions(), {"bytes": direction})


class Alone(unittest.TestCase):
    def test_there_are_no_requests_and_no_errors(self):
        tab.open(page)
        found = tab.value(FACTS)
        self.assertEqual([r["request"]["url"] for r in tab.named("Network.requestWillBeSent")], [f"file://{page}"])
        for complaint in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded",
                          "Page.javascriptDialogOpening"):
            self.assertEqual(tab.named(complaint), [])
        self.assertEqual([a for a in found["addresses"] if not a.startswith("#")], [])
        self.assertEqual((found["strange"], found["scripts"]), (0, 1))

    def test_the_policy_allows_the_pages_script_by_its_hash(self):
        text = pathlib.Path(page).read_text()
        script = re.search(r"<script>(.*?)</script>", text, re.S).group(1)
        wanted = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        self.assertIn(f"script-src 'sha256-{wanted}';", text)

    def test_no_other_script_runs(self):
        other = os.path.join(folder.name, "other.html")
        strange = "<img src=x onerror='window.ran = 1'><script>window.ran = 2</script></main>"
        pathlib.Path(other).write_text(pathlib.Path(page).read_text().replace("</main>", strange))
        tab.open(other)
        self.assertIsNone(tab.value("window.ran"))
        self.assertEqual(tab.value("document.images.length"), 1)


class Print(unittest.TestCase):
    def test_print_is_not_truncated_and_black_on_white(self):
        found = facts(718, media="print", prefers_color_scheme="dark") # A4 between its margins
        self.assertEqual(found["clipped"], [])
        self.assertEqual(found["colors"], ["rgb(0, 0, 0)", "rgb(255, 255, 255)"])
        self.assertLessEqual(found["needed"], found["width"])
        self.assertIn("DIV", facts(718)["clipped"]) # on a screen boxes scroll

    def test_print_repeats_heads_and_does_not_split_figures(self):
        if tab.path != page:
            tab.open(page)
        tab.show(718, media="print")
        style = """(e, name) => getComputedStyle(document.querySelector(e))[name]"""
        self.assertEqual(tab.value(f"({style})('thead', 'display')"), "table-header-group")
        self.assertEqual(tab.value(f"({style})('th button', 'display')"), "contents") # else repeated ones are empty
        if shutil.which("gnuplot"):
            self.assertEqual(tab.value(f"({style})('figure', 'breakInside')"), "avoid")
        pages = len(re.findall(rb"/Type\s*/Page\b", tab.printed()))
        self.assertIn(pages, range(4, 14))


if browser.installed() is None:
    print("skipped: Chromium is not installed")
    sys.exit(77)
unittest.main()
