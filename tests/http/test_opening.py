"""A person's way in: a file of theirs leads to the page with a code that nobody else saw."""

from __future__ import annotations

import re
from pathlib import Path

from gaia_email.interfaces.http.opening import entry_address, opening_page
from tests.http.guarding import ORIGIN, Guarded


def test_the_file_is_the_user_s_alone_and_its_code_opens_a_session(served: Guarded, tmp_path: Path) -> None:
    page = opening_page(ORIGIN, served.sessions, tmp_path / "pages")
    assert page.stat().st_mode & 0o777 == 0o600
    assert page.parent.stat().st_mode & 0o777 == 0o700
    text = page.read_text()
    (code,) = set(re.findall(r"#code=([\w-]+)", text))
    assert entry_address(ORIGIN, code) in text
    assert code not in str(page), "a browser is started with its name"
    assert served.sessions.open(code).page_key
    assert '<meta name="referrer" content="no-referrer">' in text
