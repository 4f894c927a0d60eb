"""Renders a brief as Markdown, HTML, plain text for a printer, or text to be read aloud. Entry: `brief_text`.

Untrusted text is escaped for the output form, its control and direction characters are made visible, and it
never becomes a link or an image.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from html import escape
from textwrap import wrap
from typing import Literal, TypeAlias, get_args

from gaia_email.app.documents.brief import BriefDocument
from gaia_email.app.documents.brief_parts import coverage, groups_of, heading
from gaia_mail.printable import visible

BriefForm: TypeAlias = Literal["markdown", "html", "print", "speech"]
FORMS: tuple[BriefForm, ...] = get_args(BriefForm)

WIDTH = 78
SPOKEN_WORDS, SPOKEN_ROWS = 8, 3
"""Maximum number of words of a title, and of titles of a part, that are read aloud."""

LEAST_SPOKEN = 3
"""Minimum number of words before a pause may end a title."""

_PAUSES = frozenset(".,:;?!")
_WANTS_MORE = re.compile(
    "a|an|the|this|that|these|those|my|your|his|her|its|our|their|of|to|in|on|at|by|for|from|with|without|about|into|"
    "over|under|and|or|but|nor|if|as|than|because|while|when|where|who|which|what|how|is|are|was|were|be|been|has|have|"
    "had|will|would|can|could|should|may|might|must|do|does|did|not|no|re|please|der|die|das|ein|eine|und|von|zu|"
    "mit|für|im|am|le|la|les|un|une|des|du|de|et|ou|à|il|lo|gli|e|di|da|con|el|los|las|y",
    re.IGNORECASE,
)
"""Words that cannot end a sentence."""

_UNDER = " " * 6
_MARKED = re.compile(r"([\\`*_{}\[\]()<>#+.!|~&-])")
_UNSPOKEN = re.compile(r"[^\w\s'’.,:?!-]+")


def brief_text(document: BriefDocument, form: BriefForm) -> str:
    """Render the brief in a form; the text ends with a newline."""
    render: Mapping[BriefForm, Callable[[BriefDocument], str]] = {
        "markdown": _markdown,
        "html": _html,
        "print": _plain,
        "speech": _speech,
    }
    return render[form](document)


def _line(text: str) -> str:
    """Return untrusted text as one visible line."""
    return visible(" ".join(text.split()))


def _markdown(document: BriefDocument) -> str:
    def escape_markdown(text: str) -> str:
        return _MARKED.sub(r"\\\1", _line(text))

    lines = [f"# {heading(document)}", "", f"{coverage(document)}.", ""]
    for group in groups_of(document):
        lines += [f"## {group.name}", ""]
        for part in group.parts:
            lines.append(f"**{f'{part.emoji} {part.title}'.strip()}** ({part.count})")
            for one in part.lines:
                note = f" ({escape_markdown(one.note)})" if one.note else ""
                below = f". {escape_markdown(one.below)}" if one.below else ""
                lines.append(f"- **{escape_markdown(one.lead)}**: {escape_markdown(one.text)}{note}{below}")
            lines.append("")
        if not group.parts:
            lines += [group.empty, ""]
    lines += [f"> {escape_markdown(problem)}" for problem in document["problems"]]
    return "\n".join(lines).rstrip() + "\n"


def _plain(document: BriefDocument) -> str:
    """Render for a printer: no emoji, no markup, lines that fit the page width."""
    lines = [heading(document), "=" * len(heading(document)), coverage(document)]
    for group in groups_of(document):
        for part in group.parts:
            lines += ["", f"{part.title} ({part.count})"]
            for one in part.lines:
                lines.append(f"  [ ] {_line(one.lead)}: {_line(one.text)}"[:WIDTH])
                lines += wrap(_line(one.note), WIDTH, initial_indent=_UNDER, subsequent_indent=_UNDER)
                lines += [f"{_UNDER}{_line(one.below)}"[:WIDTH]] if one.below else []
        if not group.parts:
            lines += ["", group.empty]
    return "\n".join([*lines, *map(_line, document["problems"])]) + "\n"


def _html(document: BriefDocument) -> str:
    """Render a page without scripts, external styles, links or images."""

    def escape_html(text: str) -> str:
        return escape(_line(text))

    body = [f"<h1>{escape_html(heading(document))}</h1>", f"<p>{escape_html(coverage(document))}.</p>"]
    for group in groups_of(document):
        body.append(f"<h2>{group.name}</h2>")
        for part in group.parts:
            body.append(f"<h3>{part.emoji} {part.title} ({part.count})</h3><ul>")
            for one in part.lines:
                note = f", {escape_html(one.note)}" if one.note else ""
                below = f"<br>{escape_html(one.below)}" if one.below else ""
                body.append(
                    f"<li><strong>{escape_html(one.lead)}</strong>: {escape_html(one.text)}{note}{below}</li>"
                )
            body.append("</ul>")
        if not group.parts:
            body.append(f"<p>{group.empty}</p>")
    body += [f"<p>{escape_html(problem)}</p>" for problem in document["problems"]]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'">'
        f"<title>{escape_html(heading(document))}</title></head><body>\n"
        + "\n".join(body)
        + "\n</body></html>\n"
    )


def _speech(document: BriefDocument) -> str:
    """Render sentences to be read aloud: buckets by name, short titles, no ids."""

    def title(text: str) -> str:
        return _spoken(_UNSPOKEN.sub(" ", _line(text)).split()) or "no subject"

    lines = [f"{heading(document)}."]
    for group in groups_of(document):
        for part in group.parts:
            lines.append(f"{part.title}: {part.count.partition(',')[0]}.")
            if part.is_aloud:
                lines += [f"{title(one.lead)}: {title(one.text)}." for one in part.lines[:SPOKEN_ROWS]]
        if not group.parts:
            lines.append(group.empty)
    return "\n".join([*lines, f"That was the {document['kind']} brief."]) + "\n"


def _spoken(words: Sequence[str]) -> str:
    """Return the beginning of a title that sounds complete: it ends at a pause, never at a word that needs another."""
    kept = list(words[:SPOKEN_WORDS])
    if len(words) > len(kept):
        pauses = [at for at, word in enumerate(kept, 1) if word[-1] in _PAUSES and at >= LEAST_SPOKEN]
        kept = kept[: pauses[-1]] if pauses else kept
        while len(kept) > 1 and not pauses and _WANTS_MORE.fullmatch(kept[-1]):
            kept.pop()
    return " ".join(kept).rstrip(".,:;?!- ")
