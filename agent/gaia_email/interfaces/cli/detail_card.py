"""The cards of `why` and `show`, for one message. Entry points: `print_why`, `print_show`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from gaia_email.app.documents.cards.wording import ACTS, COHORTS, HEADINGS, KINDS, TIERS, one_line, plan_text
from gaia_email.interfaces.cli.card import MAX_WIDTH, STYLES, badge, badge_style, in_terminal
from gaia_email.interfaces.cli.output import console
from gaia_email.interfaces.cli.typed_command import make_runnable
from gaia_email.policy.levels import level_text
from gaia_mail.printable import visible_block
from gaia_understanding.cascade.wording.certainty import in_words

if TYPE_CHECKING:
    from gaia_email.app.documents.mail_types import (
        Header,
        OtherMessage,
        SecondRow,
        ShowDocument,
        WhyDocument,
    )
    from gaia_email.interfaces.cli.from_operation import OperationAnswer

MARGIN = 14
"""Width in cells of the column with labels."""

HIDDEN_SHOWN = 300
"""Maximum characters of hidden text shown; `--json` has all that was stored."""


def _when(date: str | None) -> str:
    """Format an RFC 3339 time in the reader's own time zone."""
    if not date:
        return "no date"
    return datetime.fromisoformat(date).astimezone().strftime("%a %d %b %Y, %H:%M")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """A label in the left margin with its value, which may take several lines."""

    name: str
    value: Text
    style: str = "dim"


def _row(name: str, value: str | Text) -> _Row:
    return _Row(name=name, value=value if isinstance(value, Text) else Text(value))


def _put(out: Console, *lines: Text | _Row) -> None:
    for line in lines:
        if isinstance(line, Text):
            out.print(line)
            continue
        room = max(20, min(out.width, MAX_WIDTH) - MARGIN - 2)
        for number, part in enumerate(line.value.wrap(out, room)):
            margin = Text(f"{'' if number else line.name:>{MARGIN}}  ", style=line.style)
            part.rstrip()
            out.print(margin.append_text(part), no_wrap=True, overflow="ignore", crop=False)


def _title(found: Header) -> list[Text]:
    sender = found["from"] or {"name": "", "address": ""}
    who = one_line(f"{sender['name']} <{sender['address']}>" if sender["name"] else sender["address"])
    return [
        Text(one_line(found["subject"]) or "(no subject)", style="bold"),
        Text(f"{who or '(no sender)'} · {_when(found['date'])}", style="dim"),
    ]


def print_why(found: WhyDocument, answer: OperationAnswer, out: Console | None = None) -> None:
    """Print bucket and reason, the deciding signals with their evidence, and the plan of a triage.

    `policy explain`, suggested at the end, shows everything that the sender's level allows.
    """
    out = out or console()
    priority = found["priority"]
    emoji, heading = HEADINGS[found["bucket"]]
    head = Text(f"{in_terminal(emoji)} ")
    head.append(heading, style=STYLES[found["bucket"]])
    head.append("  ")
    head.append(badge(priority["score"]), style=badge_style(priority["score"]))
    _put(out, *_title(found), Text(""), head, Text(one_line(priority["reason"])), Text(""))
    for signal in priority["signals"]:
        line = Text(signal["name"].replace("_", " "))
        if signal["evidence"]:
            line.append(f"  “{one_line(signal['evidence'])}”", style="italic")
        style = "green" if signal["weight"] < 0 else "yellow"
        _put(out, _Row(name=f"{signal['weight']:+.2f}", value=line, style=style))
    _put(out, Text(""), *_facts(found), *_others(found["others"]))
    for number, sentence in enumerate(found["walk"][: found["walk_to_plan"]]):
        _put(out, _row("" if number else "policy", one_line(sentence)))
    commands = [f"{command} {found['id']} {answer.source}" for command in ("policy explain", "show")]
    if priority["reason"].startswith(("You moved this ", "You said that this ")):
        commands.append(f"correct {found['id']} --retract")
    for number, command in enumerate(commands):
        line = Text(make_runnable(f"gaia email {command}".rstrip()), style="bold")
        _put(out, *([] if number else [Text("")]), _row("" if number else "next", line))


def _facts(found: WhyDocument) -> list[_Row]:
    flags, plan = found["flags"], found["plan"]
    checks = flags["authentication"]
    trust = "trusted" if checks["trusted"] else "not trusted, so it counts for nothing"
    rows = [
        _row(
            "what it does",
            ACTS[found["speech_act"]] + (" · a reply is expected" if found["needs_reply"] else ""),
        ),
        _row("kind of mail", f"{KINDS[found['content_category']]} · {COHORTS[found['cohort']]}"),
        _row(
            "level",
            f"{level_text(plan['level'])} for {plan['cohort']} · {plan_text(plan['mode'], plan['action'])}",
        ),
        _row("confidence", _confidence(found)),
        *_second_row(found["second"]),
        _row(
            "sender checks",
            f"SPF {checks['spf']} · DKIM {checks['dkim']} · DMARC {checks['dmarc']} ({trust})",
        ),
    ]
    for name, judgement in (("phishing", flags["phishing"]), ("injection", flags["injection"])):
        if reasons := judgement["reasons"]:
            rows.append(_row(name, f"{judgement['score']:.2f} · " + "; ".join(map(one_line, reasons))))
    rows.extend(
        _row("removed", one_line(f"{removal['step']} ({removal['how']}), {removal['chars']:,} characters"))
        for removal in found["removed"]
    )
    rows.extend(_row("defect", one_line(defect)) for defect in found["defects"])
    return rows


def _second_row(second: SecondRow | None) -> list[_Row]:
    """Return both verdicts and the one that counts, if a language model was asked."""
    if second is None:
        return []
    rules, model = HEADINGS[second["by_rules"]][1], HEADINGS[second["by_model"]][1]
    who = f"{one_line(second['model'])} ({second['tier']}, prompt {one_line(second['prompt'])})"
    if rules == model:
        said = f"{who} says as the rules do: {model}"
    else:
        stood = "the model's" if second["stands"] == "model" else "the rules'"
        said = f"the rules say {rules}; {who} says {model}; {stood} word stands"
    if second["evidence"]:
        said += f" · it points at “{one_line(second['evidence'])}”"
    if second["sentence"]:
        said += f" · in its own words: {one_line(second['sentence'])}"
    return [_row("second word", said)]


def _confidence(found: WhyDocument) -> Text:
    tier = found["tier"]
    text = Text(f"{in_words(found['confidence'])}, decided by {TIERS.get(tier, tier)}")
    if found["unsure"]:
        text.append("  unsure: review this", style="yellow")
    return text


def print_show(found: ShowDocument, answer: OperationAnswer, out: Console | None = None) -> None:
    """Print the message as its sender meant it to be read; hidden text is shown separately and marked."""
    out = out or console()
    flags = found["flags"]
    reasons = {"phishing": flags["phishing"]["reasons"], "injection": flags["injection"]["reasons"]}
    _put(out, *_title(found))
    for name in found["warnings"]:
        text = "; ".join(reasons.get(name, ())) or "it has the marks of bulk mail nobody asked for"
        _put(out, Text(f"⚠ looks like {name}: {one_line(text)}", style="bold red"))
    for defect in found["defects"]:
        _put(out, Text(f"⚠ {one_line(defect)}", style="yellow"))
    _put(out, Text(""), Text(visible_block(found["text"]["normalized"]) or "(no text)"))
    _show_apart(out, found)
    if found["others"]:
        _put(out, Text(""), *_others(found["others"]))
    why = Text(make_runnable(f"gaia email why {found['id']} {answer.source}".rstrip()), style="bold")
    _put(out, Text(""), _row("next", why))


def _others(others: Sequence[OtherMessage]) -> list[_Row]:
    """Return the other messages of the conversation with their senders and warnings."""
    rows: list[_Row] = []
    for number, one in enumerate(others):
        sender = one["from"]
        who = f"{sender['name']} <{sender['address']}>" if sender["name"] else sender["address"]
        text = Text(f"{one['id'][:12]}  {one_line(who) or '(no sender)'} · {_when(one['date'])}")
        if one["warnings"]:
            text.append(f"  ⚠ looks like {' and '.join(one['warnings'])}", style="bold red")
        rows.append(_row("" if number else "conversation", text))
    return rows


def _show_apart(out: Console, found: ShowDocument) -> None:
    text = found["text"]
    if text["signature"]:
        _put(out, Text(""), Text(visible_block(text["signature"]), style="dim"))
    if text["quoted"]:
        count = len(text["quoted"].splitlines())
        _put(out, Text(""), Text(f"{count:,} quoted lines not shown (--json has them)", style="dim"))
    if text["hidden"].strip():
        hidden = one_line(text["hidden"])
        shown = hidden if len(hidden) <= HIDDEN_SHOWN else hidden[:HIDDEN_SHOWN] + "…"
        _put(out, Text(""), Text(f"hidden from readers: {shown}", style="yellow"))
    for attachment in found["attachments"]:
        size = f"{max(1, round(attachment['size'] / 1024)):,} KB"
        name = one_line(attachment["filename"]) or "unnamed"
        _put(out, Text(f"📎 {name} ({one_line(attachment['content_type'])}, {size})", style="dim"))
