"""Copies of a Maildir that cost no writing. Entry: `link_mail`."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


def link_mail(source: str, target: str) -> None:
    """For `shutil.copytree`: link messages, which are renamed and removed but never changed; copy all else."""
    if Path(source).parent.name in ("cur", "new"):
        os.link(source, target)
    else:
        shutil.copy2(source, target)
