"""Judges mail passed in by a caller, using only what was passed in; nothing is stored. Entry: `judge_pushed`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from email.utils import format_datetime
from hashlib import sha256
from typing import TYPE_CHECKING

from gaia_email.mailbox.correspondents import Correspondents
from gaia_mail.printable import one_line
from gaia_understanding.cascade.understand import Understood, decode, epoch, understand

if TYPE_CHECKING:
    from gaia_email.app import App

THREAD = "pushed"

_CONTENT_TYPE = re.compile(r"[A-Za-z0-9!#$&^_.+-]{1,60}/[A-Za-z0-9!#$&^_.+-]{1,100}")
_ENDS_ADDRESS = re.compile(r"[<>,;\s]")


@dataclass(frozen=True, slots=True, kw_only=True)
class PushedAddress:
    """An address of a header."""

    address: str
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PushedFile:
    """An attachment of a message, without its bytes."""

    name: str
    content_type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PushedMessage:
    """A message as the caller has it; `sent_at` is None if unknown."""

    message_id: str
    sender: PushedAddress
    to: tuple[PushedAddress, ...] = ()
    cc: tuple[PushedAddress, ...] = ()
    subject: str = ""
    body: str = ""
    sent_at: datetime | None = None
    files: tuple[PushedFile, ...] = ()


def judge_pushed(
    app: App, messages: Sequence[PushedMessage], *, owner: Sequence[str], people: Sequence[str] = ()
) -> Understood:
    """Judge the thread's newest message that the owner did not write, in the context of the others.

    Args:
        app: The running program.
        messages: Oldest first; at least one.
        owner: The user's addresses.
        people: Names or addresses of people who matter to the user.
    """
    mine = {address.casefold() for address in owner}
    judged = next(
        (one for one in reversed(messages) if one.sender.address.casefold() not in mine), messages[-1]
    )
    history, around = Correspondents(), [one for one in messages if one is not judged]
    dates = {id(one): epoch(one.sent_at) for one in messages}
    for one in around:
        recipients = [person.address for person in (*one.to, *one.cc)]
        history.add(one.sender.address, recipients, dates[id(one)])
    history.finish(owner, lambda ordinal: THREAD)
    context = history.context(judged.sender.address, dates[id(judged)], THREAD)
    known = {one.casefold().strip() for one in people}
    vip = bool(known & {judged.sender.address.casefold(), judged.sender.name.casefold().strip()} - {""})
    context = replace(context, vip=vip, first_contact=context.first_contact if around else None)
    return understand(decode(_raw(judged)), context, app.tier())


def _raw(one: PushedMessage) -> bytes:
    """Serialize the message as RFC 5322 and RFC 6532; no text of the caller can start another header or part."""
    head = [f"From: {_mailboxes([one.sender])}"]
    head += [f"{name}: {_mailboxes(people)}" for name, people in (("To", one.to), ("Cc", one.cc)) if people]
    head.append(f"Subject: {one_line(one.subject)}")
    if one.sent_at is not None:
        head.append(f"Date: {format_datetime(one.sent_at)}")
    head.append("MIME-Version: 1.0")
    boundary = sha256(
        one.body.encode("utf-8", "replace")
    ).hexdigest()  # a hash of the body, so the body cannot contain it
    text = ("Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: 8bit", "", one.body)
    if not one.files:
        lines = [*head, *text]
    else:
        lines = [*head, f'Content-Type: multipart/mixed; boundary="{boundary}"', "", f"--{boundary}", *text]
        for file in one.files:
            kind = (
                file.content_type
                if _CONTENT_TYPE.fullmatch(file.content_type)
                else "application/octet-stream"
            )
            disposition = f"Content-Disposition: attachment; filename={_quoted(file.name)}"
            lines += [f"--{boundary}", f"Content-Type: {kind}", disposition, "", ""]
        lines.append(f"--{boundary}--")
    return "\r\n".join(lines).encode("utf-8", "replace")


def _mailboxes(people: Sequence[PushedAddress]) -> str:
    return ", ".join(
        f"{_quoted(one.name)} <{_ENDS_ADDRESS.sub('', one_line(one.address))}>" for one in people
    )


def _quoted(text: str) -> str:
    plain = one_line(text).replace("\\", "").replace('"', "'")
    return f'"{plain}"'
