"""The cards of `why` and `show`: one message, for a person. Entry points: `print_why`, `print_show`."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from gaia_email.cascade.model import Verdict
from gaia_email.faces.cli.card import HEADINGS, badge_style, one_line, plan_text
from gaia_email.faces.cli.documents import warnings
from gaia_email.faces.cli.options import Source
from gaia_email.faces.cli.output import console
from gaia_email.faces.cli.terminal import visible_block
from gaia_email.plan import LEVEL_NAMES, is_unsure
from gaia_email.prepare.model import Removal
from gaia_email.triage import Found

HIDDEN_SHOWN = 300
"""Characters of a hidden text that are shown; `--json` has all that was kept."""


def _row(name: str, value: str | Text) -> Text:
    line = Text(f"{name:>14}  ", style="dim")
    line.append_text(value if isinstance(value, Text) else Text(value))
    return line


def _put(out: Console, *lines: Text) -> None:
    for line in lines:
        out.print(line, soft_wrap=True)


def _title(found: Found) -> list[Text]:
    sender = found.summary["from"]
    who = one_line(f"{sender['name']} <{sender['address']}>" if sender["name"] else sender["address"])
    return [
        Text(one_line(found.summary["subject"]) or "(no subject)", style="bold"),
        Text(f"{who or '(no sender)'} · {found.summary['date'] or 'no date'}", style="dim"),
    ]


def print_why(found: Found, source: Source) -> None:
    """Bucket and reason, the signals that decided with their words, and what the sender's level allows."""
    out = console()
    verdict = found.understood.verdict
    emoji, heading, style = HEADINGS[verdict.bucket]
    head = Text(f"{emoji} ")
    head.append(heading, style=style)
    head.append("  ")
    head.append(f" {round(verdict.priority.score * 100)} ", style=badge_style(verdict.priority.score))
    head.append(f"  {one_line(verdict.priority.reason)}")
    _put(out, *_title(found), Text(""), head, Text(""))
    for signal in verdict.priority.signals:
        line = Text(f"{signal.weight:>+14.2f}  ", style="green" if signal.weight < 0 else "yellow")
        line.append(signal.name.replace("_", " "), style="default")
        if signal.evidence:
            line.append(f"  “{one_line(signal.evidence)}”", style="italic")
        _put(out, line)
    _put(out, Text(""), *_facts(found, verdict))
    _put(
        out,
        Text(""),
        _row("next", Text(f"gaia email show {found.summary['id']} {source.flags}", style="bold")),
    )


def _facts(found: Found, verdict: Verdict) -> list[Text]:
    flags = verdict.flags
    checks = flags.authentication
    trust = "trusted" if checks.trusted else "not trusted, so it counts for nothing"
    rows = [
        _row(
            "asks for", f"{verdict.speech_act} · a reply {'is' if verdict.needs_reply else 'is not'} expected"
        ),
        _row("kind of mail", f"{verdict.content_category} · sender is {verdict.cohort.replace('_', ' ')}"),
        _row("level", f"L{found.step.level} {LEVEL_NAMES[found.step.level]} · {plan_text(found.step)}"),
        _row("confidence", _confidence(verdict)),
        _row("sender checks", f"SPF {checks.spf} · DKIM {checks.dkim} · DMARC {checks.dmarc} ({trust})"),
    ]
    for name, judgement in (("phishing", flags.phishing), ("injection", flags.injection)):
        if judgement.reasons:
            rows.append(
                _row(name, f"{judgement.score:.2f} · " + "; ".join(one_line(r) for r in judgement.reasons))
            )
    rows.extend(_row("removed", _removal_line(removal)) for removal in found.understood.prepared.removed)
    rows.extend(_row("defect", one_line(defect)) for defect in found.understood.prepared.defects)
    return rows


def _confidence(verdict: Verdict) -> Text:
    text = Text(f"{round(verdict.confidence * 100)} %, decided by {verdict.tier} (rules)")
    if is_unsure(verdict):
        text.append("  unsure: review this", style="yellow")
    return text


def _removal_line(removal: Removal) -> str:
    return one_line(f"{removal.step} ({removal.how}), {removal.chars:,} characters")


def print_show(found: Found, source: Source) -> None:
    """The message as its sender meant it to be read; what was hidden in it is shown apart, and marked."""
    out = console()
    understood = found.understood
    _put(out, *_title(found))
    for name in warnings(understood.verdict):
        reasons = getattr(understood.verdict.flags, name)
        text = "; ".join(getattr(reasons, "reasons", ())) or "it has the marks of bulk mail nobody asked for"
        _put(out, Text(f"⚠ looks like {name}: {one_line(text)}", style="bold red"))
    for defect in understood.prepared.defects:
        _put(out, Text(f"⚠ {one_line(defect)}", style="yellow"))
    _put(out, Text(""), Text(visible_block(understood.prepared.normalized) or "(no text)"))
    _show_apart(out, found)
    _put(
        out,
        Text(""),
        _row("next", Text(f"gaia email why {found.summary['id']} {source.flags}", style="bold")),
    )


def _show_apart(out: Console, found: Found) -> None:
    prepared = found.understood.prepared
    if prepared.signature:
        _put(out, Text(""), Text(visible_block(prepared.signature), style="dim"))
    if prepared.quoted:
        count = len(prepared.quoted.splitlines())
        _put(out, Text(""), Text(f"{count:,} quoted lines not shown (--json has them)", style="dim"))
    if prepared.hidden.strip():
        hidden = one_line(prepared.hidden)
        text = hidden if len(hidden) <= HIDDEN_SHOWN else hidden[:HIDDEN_SHOWN] + "…"
        _put(out, Text(""), Text(f"hidden from readers: {text}", style="yellow"))
    for attachment in found.understood.message.attachments:
        size = f"{max(1, round(attachment.size / 1024)):,} KB"
        name = one_line(attachment.filename) or "unnamed"
        _put(out, Text(f"📎 {name} ({one_line(attachment.content_type)}, {size})", style="dim"))
