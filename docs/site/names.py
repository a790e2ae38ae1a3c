# SPDX-License-Identifier: BSL-1.0
"""Public names in the code of the pages become links to the reference."""
import re
import xml.etree.ElementTree

CODE = re.compile(r"<a class=\"anchor\" id=\"doc_reference_([\w-]+)\">|<a [^>]*>.*?</a>|"
                  r"<code>((?:sonde::)?[A-Za-z_]\w*(?:::\w+)*)(?![\w:/-]|\.[a-z]+\b(?!\())(.*?)</code>", re.S)


def targets(tag_file):
    """The address of each public name below sonde::, from Doxygen's tag file."""
    found = {}
    for compound in xml.etree.ElementTree.parse(tag_file).getroot().iter("compound"):
        name = compound.findtext("name")
        if name != "sonde" and not name.startswith("sonde::"):
            continue
        if compound.get("kind") != "namespace":
            found.setdefault(name, with_suffix(compound.findtext("filename")))
        for member in compound.findall("member"):
            address = f"{with_suffix(member.findtext('anchorfile'))}#{member.findtext('anchor')}"
            found.setdefault(f"{name}::{member.findtext('name')}", address)
            for value in member.findall("enumvalue"):
                found.setdefault(f"{name}::{member.findtext('name')}::{value.text}", address)
    return {name.removeprefix("sonde::"): address for name, address in found.items()}


def with_suffix(name):
    return name if name.endswith(".html") else f"{name}.html"


def link(output):
    """In a section of the reference that is headed by classes, their members are known by name."""
    known, heads = targets(output / "sonde.tag"), []

    def linked(found):
        if found[1]:
            heads[:] = found[1].split("-")
        name = (found[2] or "").removeprefix("sonde::")
        addresses = [known[n] for n in [name, *(f"{head}::{name}" for head in heads)] if n in known]
        return f'<code><a class="el" href="{addresses[0]}">{found[2]}</a>{found[3]}</code>' if addresses else found[0]

    for page in sorted((output / "html").glob("*.html")):
        if page.name == "index.html" or page.name.startswith("doc_"):
            heads.clear()
            page.write_text(CODE.sub(linked, page.read_text()))
