"""One message that our own rules stumble over never stops the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from gaia_email.cascade.model import Context, Verdict
from gaia_email.classify import classify
from gaia_email.prepare.model import Prepared
from gaia_email.understand import default_tier
from gaia_mail_mcp.files.read import open_source


class Stumbling:
    name = "T0"

    def judge(self, prepared: Prepared, context: Context) -> Verdict:
        if "banana" in prepared.normalized:
            raise ZeroDivisionError
        return default_tier().judge(prepared, context)


@pytest.mark.parametrize("owner", [[], ["me@home.example"]])
def test_a_stumble_is_a_line_with_a_defect(owner: list[str], tmp_path: Path) -> None:
    for number, word in enumerate(("apple", "banana", "cherry")):
        text = f"From: a@b.example\nTo: me@home.example\nSubject: {word}\n\nHave a {word}.\n"
        (tmp_path / f"{number}.eml").write_text(text)
    rows = list(classify([open_source(str(tmp_path))], Stumbling(), owner))
    assert [bool(row["defects"]) for row in rows] == [False, True, False]
    assert "ZeroDivisionError" in str(rows[1]["defects"])
