"""One name for a Maildir: what was kept under its folder's name alone is kept under `maildir:` and its path."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from alembic import op

from gaia_email.ledger.text import to_json

revision = "0003"
down_revision = "0002"

_PLACE, _FORMERLY = "place:", "formerly:"
_RENAMED = ("message_state", "actions", "corrections", "sender_reputation", "pending", "confirmations")
_UNUSED = ("open", "granted")


def _table(name: str, *columns: str) -> sa.TableClause:
    found: list[sa.ColumnClause[Any]] = [sa.column(column) for column in columns]
    return sa.table(name, *found)


_DOCUMENTS = _table("documents", "name", "value")
_PENDING = _table("pending", "item_id", "account_id", "proposal")
_CONFIRMATIONS = _table("confirmations", "account_id", "state")
_STATE = _table("sync_state", "account_id")


def upgrade() -> None:
    """Rename the accounts whose place is known; the event log stays as it was sealed, and where to look is noted.

    A name that is also a connected account's, whose mail was copied under it, is left: its rows cannot be told apart.
    """
    bind = op.get_bind()
    noted = _DOCUMENTS.c.name.startswith(_PLACE)
    for name, value in bind.execute(sa.select(_DOCUMENTS).where(noted)).all():
        old, place = name.removeprefix(_PLACE), json.loads(value)
        path = place.get("path")
        followed = bind.execute(sa.select(_STATE).where(_STATE.c.account_id == old)).first()
        if place.get("kind") == "maildir" and path and followed is None:
            _rename(bind, old, f"maildir:{os.path.realpath(path)}")
    bind.execute(sa.delete(_DOCUMENTS).where(noted))


def _rename(bind: sa.Connection, old: str, new: str) -> None:
    _expire(bind, old)
    _seal_again(bind, old, new)
    for name in _RENAMED:
        table = _table(name, "account_id")
        bind.execute(sa.update(table).where(table.c.account_id == old).values(account_id=new))
    written = _table("documents", "name", "version", "value", "updated_at")
    kept = {"name": _FORMERLY + new, "version": 1, "value": to_json({"name": old}), "updated_at": 0.0}
    bind.execute(sa.insert(written), kept)


def _expire(bind: sa.Connection, old: str) -> None:
    """Questions that wait ten minutes for a yes to a call on an account of that name: none of that name is left."""
    asked = _CONFIRMATIONS.c
    unused = sa.update(_CONFIRMATIONS).where(asked.account_id == old, asked.state.in_(_UNUSED))
    bind.execute(unused.values(state="expired"))


def _seal_again(bind: sa.Connection, old: str, new: str) -> None:
    """The fingerprint of a proposal covers the account; one that was right before is right afterwards."""
    mine = _PENDING.c.account_id == old
    for item_id, _, text in bind.execute(sa.select(_PENDING).where(mine)).all():
        proposal = json.loads(text)
        if proposal.get("fingerprint") != _fingerprint(old, proposal):
            continue
        proposal["fingerprint"] = _fingerprint(new, proposal)
        mended = sa.update(_PENDING).where(_PENDING.c.item_id == item_id)
        bind.execute(mended.values(proposal=to_json(proposal)))


def _fingerprint(account: str, proposal: Mapping[str, Any]) -> str:
    targets = [
        [target["message_id"], target["labels"], target["seal"]] for target in proposal.get("targets", ())
    ]
    exact = [account, proposal.get("doing"), proposal.get("bucket"), proposal.get("names"), targets]
    return hashlib.sha256(to_json(exact).encode()).hexdigest()
