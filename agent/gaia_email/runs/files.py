"""The location of the runs database, for code that does not open it. Entry points: `runs_file`, `has_runs`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from gaia_email_registry.paths import home

URL_SETTING = "GAIA_EMAIL_RUNS_URL"


def runs_file(environ: Mapping[str, str]) -> Path:
    """Return the file of the runs database, used unless `GAIA_EMAIL_RUNS_URL` is set."""
    return home(environ) / "email" / "runs.db"


def has_runs(environ: Mapping[str, str]) -> bool:
    """Return True if a runs database exists, so that reading does not create one."""
    return bool(environ.get(URL_SETTING)) or runs_file(environ).exists()
