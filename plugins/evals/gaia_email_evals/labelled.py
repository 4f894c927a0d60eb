"""Labelled mail from other people, one JSON object per line. Entry: `read_labelled`.

`docs/evaluation.md` describes the lines. Messages of one mailbox (`user`, `group`) form a history: earlier
senders are known, as in a triage of all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gaia_email.mailbox.correspondents import Correspondents
from gaia_email_evals.cases import LabelledMessage, Labels
from gaia_email_registry.errors import BadArgument
from gaia_mail.mime.read import scan_headers
from gaia_mail.mime.scan import HeaderScan
from gaia_mail.threads import ThreadIndex
from gaia_understanding.cascade.understand import epoch
from gaia_understanding.cascade.verdict import Bucket, Category, Cohort, Context, SpeechAct

MESSAGES = "messages"
"""The folder next to a labels file in which its `file` names are resolved."""


class _Line(BaseModel):
    """The fields read from a line; other keys are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    message: str | None = None
    file: str = ""
    user: str = ""
    group: str = ""
    source: str = ""
    language: str = ""
    bucket: Bucket | tuple[Bucket, ...] | None = None
    ok: tuple[Bucket, ...] = ()
    category: Category | None = None
    act: SpeechAct | None = None
    cohort: Cohort | None = None
    needs_reply: bool | None = None
    intent: bool | None = None
    label: Literal["spam", "ham", "phishing"] | None = None
    kind: Literal["benign", "injected"] | None = None
    spam: bool | None = None
    phishing: bool | None = None
    injection: bool | None = None
    tags: tuple[str, ...] = Field(default=())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mail:
    """A line with its message."""

    line: _Line
    name: str
    raw: bytes
    scan: HeaderScan


def read_labelled(path: Path) -> Iterator[LabelledMessage]:
    """Yield the cases of a `.jsonl` file, mailbox by mailbox.

    Raises:
        BadArgument: A line is not a JSON object, has a wrong label or no message; the error names the line.
    """
    source = path.parent.name if path.stem == "expected" else path.stem
    mailboxes: dict[tuple[str, str], list[_Mail]] = {}
    for mail in _mails(path):
        mailboxes.setdefault((mail.line.user.lower(), mail.line.group), []).append(mail)
    for (user, _), mails in mailboxes.items():
        for mail, context in zip(mails, _contexts(user, mails), strict=True):
            yield _case(mail, context, source)


def _mails(path: Path) -> Iterator[_Mail]:
    seen: Counter[str] = Counter()
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise BadArgument(f"{path} is not UTF-8 text: {error.reason} at byte {error.start}.") from error
    for number, text in enumerate(lines, start=1):
        if not text.strip():
            continue
        line = _line(path, number, text)
        raw = _raw(path, number, line)
        name = line.file or f"line {number}"
        seen[name] += 1
        if seen[name] > 1:
            name = f"{name} ({seen[name]})"
        yield _Mail(line=line, name=name, raw=raw, scan=scan_headers(raw))


def _line(path: Path, number: int, text: str) -> _Line:
    try:
        return _Line.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadArgument(f"{path}, line {number}: {where}{': ' if where else ''}{first['msg']}") from error


def _raw(path: Path, number: int, line: _Line) -> bytes:
    if line.message is not None:
        return line.message.encode("utf-8", "surrogatepass")
    if not line.file:
        raise BadArgument(f"{path}, line {number}: it has neither a message nor a file.")
    folder = (path.parent / MESSAGES).resolve()
    file = (folder / line.file).resolve()
    if not file.is_relative_to(folder):
        raise BadArgument(f"{path}, line {number}: {line.file} lies outside {MESSAGES}/.")
    try:
        return file.read_bytes()
    except OSError as error:
        raise BadArgument(
            f"{path}, line {number}: {MESSAGES}/{line.file} cannot be read ({error.strerror})."
        ) from error


def _contexts(user: str, mails: Sequence[_Mail]) -> Iterator[Context]:
    history, threads = Correspondents(), ThreadIndex()
    for number, mail in enumerate(mails):
        scan = mail.scan
        recipients = [mailbox.address for mailbox in (*scan.to, *scan.cc) if mailbox.address]
        history.add(_sender(scan), recipients, epoch(scan.date))
        threads.add(
            number,
            message_id=scan.message_id,
            references=scan.references,
            in_reply_to=scan.in_reply_to,
            subject=scan.subject,
            date=epoch(scan.date),
            sender=_sender(scan),
            recipients=recipients,
        )
    history.finish((user,) if user else None, threads.thread_id)
    for number, mail in enumerate(mails):
        yield history.context(_sender(mail.scan), epoch(mail.scan.date), threads.thread_id(number))


def _sender(scan: HeaderScan) -> str:
    return scan.sender.address if scan.sender else ""


def _case(mail: _Mail, context: Context, source: str) -> LabelledMessage:
    line = mail.line
    first = (line.bucket,) if isinstance(line.bucket, str) else line.bucket or ()
    labels = Labels(
        buckets=tuple(dict.fromkeys((*first, *line.ok))),
        category=line.category,
        act=line.act,
        cohort=line.cohort,
        needs_reply=line.needs_reply,
        intent=line.intent,
        spam=line.spam,
        phishing=line.phishing,
        injection=line.injection if line.kind is None else line.kind == "injected",
    )
    return LabelledMessage(
        name=mail.name,
        source=line.source or source,
        group=line.group or mail.name,
        raw=mail.raw,
        context=context,
        labels=_with_label(labels, line.label),
        language=line.language,
        tags=line.tags,
    )


def _with_label(labels: Labels, label: Literal["spam", "ham", "phishing"] | None) -> Labels:
    """Apply a label: `ham` rules out spam and phishing, while a bad label leaves the other kind open."""
    if label == "ham":
        return replace(labels, spam=False, phishing=False, injection=False)
    if label == "spam":
        return replace(labels, spam=True)
    return replace(labels, phishing=True) if label == "phishing" else labels
