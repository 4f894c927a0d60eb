"""The document of `doctor`. Entry: `doctor_document`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypedDict

from gaia_email.document import Count, Version, clean

if TYPE_CHECKING:
    from gaia_email.app.accounts.checks import CheckFinding

DOCTOR_COLUMNS = ("ok", "check", "says", "mend")


class FindingRow(TypedDict):
    """A thing that was looked at."""

    check: str
    ok: bool
    says: str
    mend: str


class DoctorDocument(TypedDict):
    """What `doctor` prints."""

    schema_version: Version
    wrong: Count
    findings: list[FindingRow]


DOCTOR_DOCUMENTS: dict[str, object] = {"doctor": DoctorDocument}


def finding_rows(found: Sequence[CheckFinding]) -> list[FindingRow]:
    """One row a thing that was looked at."""
    return [
        {"check": clean(one.check), "ok": one.ok, "says": clean(one.says), "mend": clean(one.mend)}
        for one in found
    ]


def doctor_document(found: Sequence[CheckFinding]) -> DoctorDocument:
    """Everything that was looked at, and how much of it is wrong."""
    return {
        "schema_version": 1,
        "wrong": sum(not one.ok for one in found),
        "findings": finding_rows(found),
    }
