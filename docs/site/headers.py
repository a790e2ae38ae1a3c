# SPDX-License-Identifier: BSL-1.0
"""The headers as the reference lists them: text of a header in, text for Doxygen out, line by line.

Listed are public names outside of namespaces `detail`. A comment after a member describes it. Constructors that only refuse
arguments, deduction guides, and defaulted and deleted functions are left out. A member without a comment is described by the
page of the concept whose hook it is (docs/concepts/), or, if its name says all of it, by a sentence of `PLAIN`.
"""
import pathlib
import re

TRAILING = re.compile(r"^(\s+[^/\s\"#][^\"]*?[;,{}\w)]) +// (.*)$")
CONTINUED = re.compile(r"^(\s{12,})// (.*)$")
CLASS = re.compile(r"^\s*(?:template <.*>\s*)?(?:requires .*\s)?(?:struct|class|union) (?:\[\[\w+\]\] )?(?:alignas\(\S+\) )?(\w+)(?! *<)[^;{(]*\{")
LEFT_OUT = re.compile(r"SONDE_REFUSE|= (?:default|delete);|^(?:template <.*> )?(?:requires\(?.*\)? )?(?:explicit )?(\w+)\(.*\)(?: requires.*)? -> ")
NAME = re.compile(r"(operator ?(?:\(\)|[^\s(\w]+|\w+[^(]*)|~?\w+)\(|(\w+)(?:\{.*\}|\[.*\]| = .*)?;")
PLAIN = {"begin": "Iterator of the first element.", "end": "Iterator behind the last element.",
         "operator==": "True if all members are equal.", "operator<=>": "Order of the members."}
BLANKS = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])'|//.*")


class Concepts:
    """Hooks of the concepts by name, from the tables of docs/concepts/."""

    def __init__(self, folder):
        self.hooks = {}  # concept: {member: meaning}
        for page in sorted(pathlib.Path(folder).glob("*.md")):
            found = self.hooks.setdefault(page.stem, {})
            for cell, meaning in re.findall(r"^\| (`[^|]*) \| (.*) \|$", page.read_text(), re.M):
                for name in re.findall(r"`\w(?:\.|::)?(\w*)[^`]*`", cell):
                    if re.match(r"\w+$", name) or not name:
                        found.setdefault(name or "operator()", meaning)

    def meaning(self, name, members, arguments):
        """A sentence for the member `name` of a class with these members, or None."""
        having = [c for c, hooks in self.hooks.items() if name in hooks]
        if name == "operator()":
            kinds = {"Reporter": "record|comparison", "StoppingRule": "progress", "Synchronizer": "[gG]roup|ranks", "Transfer": "size_t"}
            having = [c for c, words in kinds.items() if re.search(words, arguments)] or ([] if arguments else ["Pattern"])
        if not having:
            return None
        concept = max(having, key=lambda c: len(members & set(self.hooks[c])))
        text = re.sub(r"^(?:optional|const)[^:;]*[:;] ", "", self.hooks[concept][name])
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
        return f"{text[0].upper()}{text[1:].rstrip('.')} (@ref doc_concepts_{concept} \"{concept}\")."


def statements(lines, first, last, indent):
    """(begin, end) of each statement with this indentation."""
    at = first
    while at < last:
        line = lines[at]
        depth = len(line) - len(line.lstrip())
        if not line.strip() or depth != indent or line.lstrip().startswith(("//", "#", "namespace ", "} // ")) or re.match(r"\s*\w+:$", line):
            at += 1
            continue
        begin, open_ = at, 0
        while at < last:
            code = BLANKS.sub('""', lines[at]).rstrip()
            open_ += len(re.findall(r"[({\[]", code)) - len(re.findall(r"[)}\]]", code))
            at += 1
            following = lines[at].strip() if at < last else ""
            if open_ == 0 and (code.endswith(";") or code.endswith("}") and following[:1] != "{"
                               and not code.lstrip().startswith("requires")):
                break
        yield begin, at


class Filter:
    def __init__(self, concepts):
        self.concepts = concepts

    def __call__(self, text):
        lines = re.sub(r"::inline v\d+_\d+", "", text).split("\n")
        self.without_details(lines)
        self.after_members(lines)
        self.scope(lines, 0, len(lines), 0, "")
        return "\n".join(lines)

    @staticmethod
    def without_details(lines):
        hidden = 0
        for i, line in enumerate(lines):
            if re.match(r"namespace (\w+::)*detail\b.*\{$", line):
                hidden = 1
            if hidden:
                ends = line.startswith("} // namespace")
                lines[i] = ""
                hidden = 0 if ends else 1

    @staticmethod
    def after_members(lines):
        """Comments after members become descriptions, with their further lines."""
        column = -1
        for i, line in enumerate(lines):
            code = line.lstrip()
            found = TRAILING.match(line)
            if found and not code.startswith(("if ", "for ", "return", "auto ", "else", "while", "do ")):
                lines[i] = f"{found[1]} ///< {found[2]}"
                column = line.index("// ", len(found[1]))
            elif (more := CONTINUED.match(line)) and len(more[1]) == column:
                lines[i] = f"{more[1]}///< {more[2]}"
            else:
                column = -1

    def scope(self, lines, first, last, indent, owner):
        private = [False] * (last - first)
        hidden = owner.startswith("class ")
        for i in range(first, last):
            if label := re.match(rf"\s{{{max(indent - 4, 0)}}}(public|protected|private):$", lines[i]):
                hidden = label[1] != "public"
                lines[i] = lines[i].replace("protected", "private")
            private[i - first] = bool(owner) and hidden
        found = [s for s in statements(lines, first, last, indent) if not private[s[0] - first]]
        codes = [" ".join(" ".join(lines[b:e]).split()) for b, e in found]
        names = [self.name(code) for code in codes]
        for (begin, end), code, name in zip(found, codes, names):
            self.statement(lines, begin, end, code, name, set(names), indent, owner)

    @staticmethod
    def name(code):
        code = re.sub(r"///<.*", "", code)
        code = re.sub(r"^template <.*?> (?=[^,>]*(?:\w|\()[^,>]*$|)", "", code)
        code = re.sub(r"\[\[\w+\]\] |noexcept\(\w+\)|alignas\(\w+\) |requires\(.*?\) ", "", code)
        found = NAME.search(code)
        return found and (found[1] or found[2])

    def statement(self, lines, begin, end, code, name, names, indent, owner):
        if LEFT_OUT.search(code) and "= default" not in code.split("{")[0][:0] or re.match(r"friend (?:class|struct) ", code):
            if "operator" in code and "= default" in code:
                pass
            elif not re.match(r".*\b(class|struct) \w+[^;()]*\{", code):
                for i in range(begin, end):
                    lines[i] = ""
                return
        if opened := CLASS.match(code):
            kind = "struct " if re.match(r"(?:template <.*> )?(?:requires.*)?(?:struct|union)\b", code) else "class "
            body = next((i for i in range(begin, end) if lines[i].rstrip().endswith("{")), None)
            if body is not None:
                self.scope(lines, body + 1, end - 1, indent + 4, kind + opened[1])
            return
        if "///<" in lines[end - 1] or begin and lines[begin - 1].lstrip().startswith("///") and "///<" not in lines[begin - 1]:
            return
        text = self.description(code, name, names, owner.split(" ")[-1], lines)
        if text:
            lines[begin] = f"{' ' * indent}/** {text} */ {lines[begin].lstrip()}"

    def description(self, code, name, names, owner, lines):
        if name is None or not owner:
            return None
        if name == owner:
            return "Constructor from the arguments that the class describes."
        arguments = re.search(re.escape(name) + r"\((.*?)\)(?: const|\s*\{|;| noexcept| requires|$)", code)
        return PLAIN.get(name) or self.concepts.meaning(name, names, arguments[1] if arguments else "")
