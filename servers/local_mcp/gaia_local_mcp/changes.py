"""The cursors of `sync_emails` over a `MailIndex`. Entry: `changes`.

A cursor is the state of the mailbox (`MailIndex.digest`) that the caller has seen. Within a long answer it is
`base:target:when:id`: the answer is the difference from `base` (`0` for nothing) to `target`, and the next page starts
after the given message.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from gaia_email_registry.contract.wire import Summary
from gaia_local_mcp.entry import IndexEntry
from gaia_local_mcp.index import MailIndex
from gaia_mail_mcp.mailbox import Changes

_CURSOR = re.compile(r"([0-9a-f]{32})|(0|[0-9a-f]{32}):([0-9a-f]{32}):(-?[0-9.e+]{1,40}):([a-z2-7]{12})")
_NOTHING = "0"
_FOREIGN = "the cursor is not one of this mailbox"


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalCursor:
    """The state that a caller has seen, and its progress in a long answer; `after` is None at the start of one."""

    base: str
    target: str
    after: tuple[float, str] | None = None

    def __str__(self) -> str:
        if self.after is None:
            return self.target
        return f"{self.base}:{self.target}:{-self.after[0]!r}:{self.after[1]}"


def parse_cursor(text: str) -> LocalCursor | None:
    """Read a cursor from its text; None if it is not ours."""
    match = _CURSOR.fullmatch(text)
    if match is None:
        return None
    if match[1]:
        return LocalCursor(base=match[1], target=match[1])
    try:
        when = float(match[4])
    except ValueError:
        return None
    return LocalCursor(base=match[2], target=match[3], after=(-when, match[5]))


def changes(
    index: MailIndex, text: str | None, limit: int, summarize: Callable[[list[IndexEntry]], list[Summary]]
) -> Changes:
    """Return the changes since a cursor, with at most `limit` added messages."""
    cursor = parse_cursor(text) if text is not None else LocalCursor(base=_NOTHING, target=index.digest)
    reason = ""
    if cursor is None:
        cursor, reason = LocalCursor(base=_NOTHING, target=index.digest), _FOREIGN
    elif cursor.base != _NOTHING and index.since(cursor.base) is None:
        reason = "the mailbox has changed too much, or while this server was not running"
    elif index.since(cursor.target) is None:
        reason = "the mailbox changed too much while it was being listed"
    if reason:
        cursor = LocalCursor(base=_NOTHING, target=index.digest)
    elif cursor.after is None:
        cursor = LocalCursor(base=cursor.base, target=index.digest)
    return _page(index, cursor, limit, summarize, reason)


def _page(
    index: MailIndex,
    cursor: LocalCursor,
    limit: int,
    summarize: Callable[[list[IndexEntry]], list[Summary]],
    reason: str,
) -> Changes:
    entries = index.entries
    if cursor.base == _NOTHING:
        added, changed, removed = list(index.newest_first()), list[str](), list[str]()
    else:
        added, changed, removed = _difference(index, cursor.base)
    if cursor.after is not None:
        after = cursor.after
        added = [id_ for id_ in added if (-entries[id_].when, id_) > after]
        changed, removed = [], []
    page = added[: max(limit, 1)]
    more = len(page) < len(added)
    following = cursor
    if more:
        last = page[-1]
        following = LocalCursor(base=cursor.base, target=cursor.target, after=(-entries[last].when, last))
    else:
        following = LocalCursor(base=cursor.target, target=cursor.target)
    return Changes(
        cursor=str(following),
        added=tuple(summarize([entries[id_] for id_ in page])),
        changed=tuple(entries[id_].as_change() for id_ in changed),
        removed=tuple(removed),
        reset=bool(reason),
        reason=reason,
        more=more,
    )


def _difference(index: MailIndex, digest: str) -> tuple[list[str], list[str], list[str]]:
    """Return the ids added, changed and removed since a known state, without messages that came and went.

    A message that has moved to another conversation counts as added.
    """
    existed: dict[str, bool] = {}
    moved: set[str] = set()
    for kind, id_ in index.since(digest) or ():
        existed.setdefault(id_, kind != "added")
        if kind == "moved":  # only an added message is reported with its conversation
            moved.add(id_)
    entries = index.entries
    told = {id_ for id_, before in existed.items() if not before} | moved
    added = [id_ for id_ in existed if id_ in told and id_ in entries]
    changed = [id_ for id_ in existed if id_ not in told and id_ in entries]
    removed = [id_ for id_, before in existed.items() if before and id_ not in entries]
    added.sort(key=lambda id_: (-entries[id_].when, id_))
    return added, sorted(changed), sorted(removed)
