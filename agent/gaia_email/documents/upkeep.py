"""Documents of `ledger verify`, `purge` and `export`. Entries: `check_document`, `purge_document`, `export_head`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from gaia_email.documents.classify import Json


def check_document(
    *, events: int, last_event: int, broken: tuple[int, str] | None, database: str | None
) -> Json:
    """What a walk through the ledger found."""
    return {
        "schema_version": 1,
        "intact": broken is None and database is None,
        "events": events,
        "last_event": last_event,
        "broken": None if broken is None else {"seq": broken[0], "reason": broken[1]},
        "database": database,
    }


def purge_document(extent: str, account: str | None, gone: Mapping[str, int]) -> Json:
    """What was deleted, by kind."""
    return {"schema_version": 1, "extent": extent, "account": account, "gone": dict(gone)}


def licences_document(rows: Sequence[Json]) -> Json:
    """What `gaia licenses` prints: name, version, licence and page of every library."""
    return {"schema_version": 1, "licenses": list(rows)}


def export_head(*, account: str | None, bodies: bool, people: bool) -> Json:
    """The beginning of an export, before its `tables`."""
    return {
        "schema_version": 1,
        "exported_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "account": account,
        "with_bodies": bodies,
        "with_people": people,
    }
