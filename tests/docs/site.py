#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""site.py ROOT

Builds the reference site. Fails if Doxygen warns, which it does for every public name without a description; if a public type
is not in the reference; if a public name in the code of a page is not a link; if a link of the site, or its anchor, has no
target; or if the search does not find a name. Skipped (77) without Doxygen.
"""
import functools
import html
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

DEFINITION = re.compile(r"^(?:template <.*> )?"
                        r"(?:(?:struct|class|union|enum class|concept) (?:\[\[\w+\]\] )?(\w+)\b(?! ?[;<])|using (\w+) =)")
TARGET = re.compile(r"<(?:a|img|link|script)\b[^>]*?\b(?:href|src)=\"([^\"]*)\"")
ANCHOR = re.compile(r"\b(?:id|name)=\"([^\"]*)\"")
CODE = re.compile(r"<a [^>]*>.*?</a>|<code>(?:sonde::)?([A-Za-z_]\w*(?:::\w+)*)(?![\w:/-]|\.[a-z]+\b(?!\())", re.S)


def public_types(include):
    for path in sorted(path for path in include.rglob("*.hpp") if "detail" not in path.parts):
        spaces = []
        for line in path.read_text().splitlines():
            if opened := re.match(r"namespace ([\w: ]+) \{", line):
                spaces.append(re.sub(r"::inline \w+", "", opened[1]))
            elif line.startswith("} // namespace"):
                spaces.pop()
            elif (found := DEFINITION.match(line)) and line[-1] != ">" and spaces and "detail" not in "::".join(spaces).split("::"):
                yield "::".join([*spaces, found[1] or found[2]]).removeprefix("sonde::")


@functools.cache
def anchors(page):
    return set(ANCHOR.findall(page.read_text()))


def dead_links(page):
    for target in set(TARGET.findall(page.read_text())):
        path, _, anchor = urllib.parse.unquote(html.unescape(target)).partition("#")
        if re.match(r"[a-z]+:", path):
            continue
        file = page.parent / path if path else page
        if not file.is_file() or anchor and file.suffix == ".html" and anchor not in anchors(file):
            yield f"{page.name}: {target}"


def faults(root, output, known):
    pages = sorted((output / "html").glob("*.html"))
    yield from (fault for page in pages for fault in dead_links(page))
    yield from (f"{name} is not in the reference" for name in public_types(root / "include/sonde") if name not in known)
    linked = 0
    for page in pages:
        if page.name == "index.html" or page.name.startswith("doc_"):
            text = page.read_text()
            linked += len(re.findall(r"<code><a class=\"el\"", text))
            yield from (f"{page.name}: {name} is not a link" for name in CODE.findall(text) if name in known)
    if linked < 1000:
        yield f"only {linked} names of the pages are links"
    if not any("synchronized_5fstart" in path.read_text() for path in (output / "html/search").glob("all_*.js")):
        yield "the search does not find synchronized_start"
    if 'href="records.schema.json"' not in (output / "html/doc_json.html").read_text():
        yield "the page of JSON does not link the schema"


def main():
    if not shutil.which("doxygen"):
        print("skipped: doxygen is not installed")
        return 77
    root = pathlib.Path(sys.argv[1]).resolve()
    sys.path.insert(0, str(root / "docs/site"))
    import names
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder).resolve()
        built = subprocess.run([sys.executable, root / "docs/site/build.py", root, output], stdout=subprocess.PIPE, text=True, check=False)
        found = [built.stdout] if built.returncode else []
        found += faults(root, output, names.targets(output / "sonde.tag"))
    print("\n".join(found) if found else "every name is described and every link has a target")
    return 1 if found else 0


sys.exit(main())
