"""Where the database of runs is, for who need not open it. Entry points: `runs_file`, `has_runs`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from gaia_email_registry.paths import home

URL_SETTING = "GAIA_EMAIL_RUNS_URL"


def runs_file(environ: Mapping[str, str]) -> Path:
    """Where runs are kept unless `GAIA_EMAIL_RUNS_URL` says otherwise."""
    return home(environ) / "email" / "runs.db"


def has_runs(environ: Mapping[str, str]) -> bool:
    """Whether there is a database of runs to read, so that merely reading makes none."""
    return bool(environ.get(URL_SETTING)) or runs_file(environ).exists()
