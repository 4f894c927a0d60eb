"""The document of `doctor`. Entry: `doctor_document`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from gaia_email.accounts.checks import Finding
from gaia_email.documents.classify import Json, clean
from gaia_email.documents.schema_parts import COUNT, FLAG, TEXT, VERSION, Schema, listed, record

DOCTOR_COLUMNS = ("ok", "check", "says", "mend")

DOCTOR_SCHEMAS: dict[str, Schema] = {
    "doctor": record(
        schema_version=VERSION,
        wrong=COUNT,
        findings=listed(record(check=TEXT, ok=FLAG, says=TEXT, mend=TEXT)),
    )
}


def finding_rows(found: Sequence[Finding]) -> list[Json]:
    """One row a thing that was looked at."""
    return [
        {name: clean(value) if isinstance(value, str) else value for name, value in asdict(one).items()}
        for one in found
    ]


def doctor_document(found: Sequence[Finding]) -> Json:
    """Everything that was looked at, and how much of it is wrong."""
    return {
        "schema_version": 1,
        "wrong": sum(not one.ok for one in found),
        "findings": finding_rows(found),
    }
