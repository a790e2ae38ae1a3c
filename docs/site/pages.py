# SPDX-License-Identifier: BSL-1.0
"""The pages of docs/ and the README as Doxygen reads them: labels of headings, links by label, languages of code. Links to other
files are links if docs/ has them, and their text else, since the site does not have them."""
import functools
import os
import pathlib
import re

FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^ *```$", re.M | re.S)
CODE = re.compile(r"(`[^`]*`)")
LINK = re.compile(r"(!?)\[((?:[^]`]|`[^`]*`)*)\]\(([^)\s]*)\)")
LANGUAGES = {"cpp": "cpp", "python": "py", "py": "py", "c": "c"}


def label(page):
    """Label of a page, "doc_concepts_Link"; the README is the main page."""
    return "index" if page == "README.md" else "doc_" + re.sub(r"\W", "_", page.removeprefix("docs/").removesuffix(".md"))


def slug(heading):
    """The anchor that GitHub makes of a heading."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


@functools.cache
def files(root):
    """Files of docs/ that pages show or link: pictures, the schema, scripts."""
    return [file for file in sorted((root / "docs").rglob("*"))
            if file.is_file() and file.suffix != ".md" and root / "docs/site" not in file.parents]


class Page:
    def __init__(self, root, page, known):
        self.root, self.page, self.known, self.slugs = root, page, known, {}

    def heading(self, found):
        marks, text = found[1], found[2]
        if marks == "#":
            return f"# {text}" if self.page == "README.md" else f"# {text} {{#{label(self.page)}}}"
        base = slug(text)
        number = self.slugs[base] = self.slugs.get(base, -1) + 1
        return f"{marks} {text} {{#{label(self.page)}_{base}{f'-{number}' if number else ''}}}"

    def link(self, found):
        picture, text, target = found[1], " ".join(found[2].replace("`", "").split()), found[3]
        if re.match(r"https?:|mailto:", target):
            return found[0]
        path, _, anchor = target.partition("#")
        if picture:
            return f'<img src="{pathlib.PurePath(path).name}" alt="{text}"/>'
        page = os.path.normpath(os.path.join(os.path.dirname(self.page), path)) if path else self.page
        if page in self.known:
            where = label(page) + (f"_{anchor}" if anchor else "")
            return f"[{text}](@ref {where})"
        return f'<a href="{pathlib.PurePath(path).name}">{text}</a>' if self.root / page in files(self.root) else text

    def prose(self, text):
        text = re.sub(r"<!--.*?-->\n?", "", text, flags=re.S)
        text = re.sub(r"^(#+) (.+)$", self.heading, text, flags=re.M)
        return LINK.sub(self.link, text)

    def text(self):
        source = (self.root / self.page).read_text()
        parts, at = [], 0
        for fence in FENCE.finditer(source):
            parts.append(self.prose(source[at:fence.start()]))
            language = LANGUAGES.get(fence[2], "unparsed")
            parts.append(f"{fence[1]}```{{.{language}}}\n{fence[3]}{fence[1]}```")
            at = fence.end()
        return "".join(parts) + self.prose(source[at:])


def below(folder, pages):
    return "".join(f"- @subpage {label(page)}\n" for page in pages if page.startswith(folder))


def converted(root):
    """(path, text) of each page."""
    pages = ["README.md", *sorted(str(page.relative_to(root)) for page in (root / "docs").rglob("*.md"))]
    for page in pages:
        text = Page(root, page, set(pages)).text()
        yield page, text + "\n\nPages:\n\n" + below("docs/tutorial/", pages) if page == "docs/tutorial.md" else text
    yield "docs/concepts.md", ("# Requirements on types {#doc_concepts}\n\nWhat the types of an application must have.\n\n"
                               + below("docs/concepts/", pages))
