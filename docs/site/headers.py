# SPDX-License-Identifier: BSL-1.0
"""The headers as the reference lists them: text of a header in, text for Doxygen out, with the same lines.

Listed are public names outside of namespaces `detail`. A comment after a member describes it. Left out are constructors that
only refuse arguments, deduction guides, defaulted and deleted functions, and the members of the structs `runtime`, which name
the functions of a vendor. A member without a comment is described by the sentence of its class's comment that has its name in
backticks, by the page of the concept whose hook it is (docs/concepts/), or by a sentence of `PLAIN`.
"""
import pathlib
import re

TRAILING = re.compile(r"^(\s+(?:\"(?:\\.|[^\"\\])*\"|[^\"/\s#]|/(?!/)|\s(?!\s*/))+[;,{}\w)]) +// (.*)$")
CONTINUED = re.compile(r"^(\s{12,})// (.*)$")
SEVERAL = re.compile(r"^(    [\w:<>]+(?: [\w:<>]+){0,2}?) (\w+(?: = \w+)?(?:, \w+(?: = \w+)?)+); +// (.*)$")
NO_STATEMENT = re.compile(r"//|#|namespace |\} // |\w+:$")
CLASS = re.compile(r"(?:template <.*> )?(struct|class|union) (?:\[\[\w+\]\] )?(?:alignas\(\S+\) )?(\w+)\b(?! ?<)")
LEFT_OUT = re.compile(r"SONDE_REFUSE|\b(?:bool|auto|span) detail::\w+[<(]|= (?:default|delete);|^friend (?:class|struct) |"
                      r"^(?:template <.*> )?(?:requires\(?.*\)? )?(?:explicit )?\w+\(.*\)(?: requires.*)? -> ")
NAME = re.compile(r"(operator ?(?:\(\)|[^\s(\w]+|\w+[^(]*)|~?\w+)\(|(\w+)(?:\{.*\}|\[.*\]| = .*)?;")
BLANKS = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])'|//.*")
COMMON = {"size", "rank", "next", "properties", "handle", "base"}  # names that a class may have without the concept
NO_HOOKS = {"Comparison", "Probe"}  # pages of classes, whose members are no hooks
CALLS = {"Reporter": "record|comparison", "StoppingRule": "progress", "Synchronizer": "[gG]roup|ranks",
         "NcclWait": "stream_type", "Transfer": "size_t"}  # arguments of operator()
PLAIN = {"iterate": "An iteration around `inner`, which is one iteration of the inner pattern.",
         "before_send": "Called by link_adaptor before a message is sent.",
         "after_receive": "Called by link_adaptor after a message is received.",
         "inner": "The object that is adapted.",
         "functions": "The functions of MPI for this operation: blocking, nonblocking and persistent.",
         "call": "The function of MPI.", "call_with_request": "The function of MPI that makes a request.",
         "point": "The point of the record: a name and parameters.",
         "pass": "Calls `f`, a function of MPI, with the arguments `a` of a transfer.",
         "begin": "Iterator of the first element.", "end": "Iterator behind the last element.",
         "operator==": "True if all members are equal.", "operator<=>": "Order of the members."}


class Concepts:
    """Hooks of the concepts by name, from the tables of docs/concepts/."""

    def __init__(self, folder):
        self.hooks = {}  # concept: {member: meaning}
        for page in sorted(page for page in pathlib.Path(folder).glob("*.md") if page.stem not in NO_HOOKS):
            found = self.hooks.setdefault(page.stem, {})
            tables = re.findall(r"^\| (expression|optional member) \| meaning \|\n.*\n((?:\|.*\n)*)", page.read_text(), re.M)
            for title, rows in tables:
                names = r"`(\w+)\(" if title == "optional member" else r"`(?:\w+(?:\.|::)(\w+)|\w\(.*?\)|rule\(.*?\))"
                for cell, meaning in re.findall(r"^\| (`.*?) \| (.*) \|$", rows, re.M):
                    for name in re.findall(names, cell):
                        if not meaning.startswith("optional, as of"):
                            found.setdefault(name or "operator()", meaning)

    def meaning(self, name, members, arguments):
        """A sentence for the member `name` of a class with these members, or None."""
        having = [c for c, hooks in self.hooks.items() if name in hooks]
        if name == "operator()":
            having = [c for c, words in CALLS.items() if re.search(words, arguments)] or ([] if arguments else ["Pattern"])
        if not having:
            return None
        concept = max(having, key=lambda c: len(members & set(self.hooks[c])))
        if name in COMMON and len(members & set(self.hooks[concept])) < 2:
            return None
        text = re.sub(r"^(?:optional|const)[^:;]*[:;] ", "", self.hooks[concept][name])
        text = text.replace(" ([reference](../reference.md#traffic))", "")
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
        return f"{text[0].upper()}{text[1:].rstrip('.')} (@ref doc_concepts_{concept} \"{concept}\")."


def statements(lines, first, last, indent):
    """(begin, end) of each statement with this indentation."""
    at = first
    while at < last:
        line = lines[at]
        depth = len(line) - len(line.lstrip())
        if not line.strip() or depth != indent or NO_STATEMENT.match(line.lstrip()):
            at += 1
            continue
        begin, open_ = at, 0
        while at < last:
            code = BLANKS.sub("", lines[at]).rstrip()
            open_ += len(re.findall(r"[({\[]", code)) - len(re.findall(r"[)}\]]", code))
            at += 1
            following = lines[at].strip() if at < last else ""
            if open_ == 0 and (code.endswith(";") or code.endswith("}") and following[:1] != "{"
                               and not code.lstrip().startswith("requires")):
                break
        yield begin, at


def above(lines, at):
    """The first line of the comment that ends above line `at`; `at` if there is none."""
    while at and lines[at - 1].lstrip().startswith("///") and "///<" not in lines[at - 1]:
        at -= 1
    return at


def text_of(comment):
    """The text of a comment, without its examples."""
    texts = [line.strip()[4:] for line in comment]
    return " ".join(text for text in texts if not text.startswith("    "))


class Filter:
    """Makes of the text of a header what Doxygen reads."""

    def __init__(self, concepts):
        self.concepts = concepts

    def __call__(self, text):
        lines = re.sub(r"::inline v\d+_\d+", "", text).split("\n")
        self.without_details(lines)
        self.escape_headers(lines)
        self.scope(lines, 0, len(lines), 0, "")
        return "\n".join(lines)

    @staticmethod
    def escape_headers(lines):
        for i, line in enumerate(lines):
            if line.lstrip().startswith("///"):
                lines[i] = re.sub(r"(?<![\w`:])<([\w/.]+)>", r"&lt;\1&gt;", line)

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
    def after_members(lines, first, last):
        """Comments after members become descriptions, with their further lines."""
        column, described = -1, 0
        while first < last or first < len(lines) and CONTINUED.match(lines[first]):
            line = lines[first]
            if (more := CONTINUED.match(line)) and len(more[1]) == column:
                lines[described] += " " + more[2]
                lines[first] = ""
            elif several := SEVERAL.match(line):
                lines[first] = " ".join(f"/** {several[3]} */ {several[1]} {name};" for name in several[2].split(", "))
            elif found := TRAILING.match(line):
                column, described = line.index("// ", len(found[1])), first
                lines[first] = f"{found[1]} ///< {found[2]}"
            first += 1

    def scope(self, lines, first, last, indent, owner, about=""):
        hidden = owner.startswith("class ")
        for i in range(first, last):
            if label := re.match(rf"\s{{{max(indent - 4, 0)}}}(public|protected|private):$", lines[i]):
                hidden = label[1] != "public"
                lines[i] = lines[i].replace("protected", "private")
            elif owner and hidden:
                lines[i] = ""
        found = list(statements(lines, first, last, indent))
        for begin, end in found:
            if owner and end - begin == 1 or lines[begin].lstrip().startswith("enum "):
                self.after_members(lines, begin, end)
        codes = [" ".join(" ".join(lines[b:e]).split()) for b, e in found]
        names = [self.name(code) for code in codes]
        for (begin, end), code, name in zip(found, codes, names):
            self.statement(lines, begin, end, code, name, set(names), indent, owner, about)

    @staticmethod
    def name(code):
        code = re.sub(r"///<.*", "", code)
        code = re.sub(r"^template <.*?> (?=[^,>]*(?:\w|\()[^,>]*$|)", "", code)
        code = re.sub(r"\[\[\w+\]\] |noexcept\(\w+\)|alignas\(\w+\) |requires\(.*?\) ", "", code)
        found = NAME.search(code)
        return found and (found[1] or found[2])

    def statement(self, lines, begin, end, code, name, names, indent, owner, about):
        comment = above(lines, begin)
        declared = next((i for i in range(begin, end) if CLASS.match(lines[i][indent:])), None)
        if declared is not None:
            opened = CLASS.match(lines[declared][indent:])
            body = next((i for i in range(declared, end) if lines[i].rstrip().endswith("{")), end)
            if opened[2] == "runtime":
                lines[body + 1:end - 1] = [""] * (end - body - 2)
            self.scope(lines, body + 1, end - 1, indent + 4, f"{opened[1]} {opened[2]}", text_of(lines[comment:begin]))
        elif LEFT_OUT.search(code):
            lines[comment:end] = [""] * (end - comment)
        elif comment == begin and "///<" not in lines[end - 1] and \
                (text := self.description(code, name, names, owner.split(" ")[-1], about)):
            lines[begin] = f"{' ' * indent}/** {text} */ {lines[begin].lstrip()}"

    def description(self, code, name, names, owner, about):
        if alias := re.match(r"(?:template <.*> )?using \w+ = (.*);", code):
            return f"Another name of `{alias[1]}`."
        if not owner and (called := re.search(r"[{( ](gpu::(?!detail|value_of)|runtime::)(\w+)[<()]", code)):
            return f"See sonde::gpu::{called[2]}." if called[1] == "gpu::" else f"Calls `{called[2]}` of the runtime."
        if name is None or not owner:
            return None
        if name == owner:
            return "Constructor from the arguments that the class describes."
        if about and (told := next((s for s in re.split(r"(?<=[.;:]) +(?=[A-Z`])", about) if f"`{name}`" in s), None)):
            return told.rstrip(";:") + ("" if told.endswith(".") else ".")
        called = re.search(re.escape(name) + r"\((.*?)\)(?: const|\s*\{|;| noexcept| requires|$)", code)
        if not called and not code.startswith("static "):
            return None
        if name in PLAIN and not (name in ("begin", "end") and (code.startswith("void") or called[1])):
            return PLAIN[name]
        return self.concepts.meaning(name, names, called[1] if called else "")
