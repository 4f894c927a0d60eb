"""What pages are made of: keys without conflicts, words marked for translation, sizes, files kept unchanged."""

from __future__ import annotations

import gzip
import hashlib
import re
from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args

import pytest
from markupsafe import escape

from gaia_email.app.documents.mail_types import SECTIONS, ThreadRow
from gaia_email.app.documents.origins import origin_row
from gaia_email.app.documents.pending_types import ConfirmationRow
from gaia_email.interfaces import web
from gaia_email.interfaces.keys import KeyPlace, page_keys
from gaia_email.interfaces.web.pages import A_PAGE, IN_ALL
from gaia_email.interfaces.web.plugged import page_links, page_parts
from gaia_email.interfaces.web.rendering import STATIC, render
from tests.origins import KEY
from tests.pages_web.pages import MARK

FOLDER = Path(web.__file__).parent
TEMPLATES = [
    *sorted((FOLDER / "templates").rglob("*.html")),
    *(
        path
        for part in page_parts()
        for path in sorted(Path(str(files(part.package))).rglob("templates/**/*.html"))
    ),
]
KEPT = {
    "htmx.min.js": "a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130",
    "hx-csp.min.js": "a7e1e6711ae6c3e50ad300fba7936cbe8d07599cdae313414a179ddd6b26e143",
    "htmx-LICENSE.txt": "d3d2456f76414f2456104660ebd65aff1c04cd7966b942bdabd63f3cdb316a38",
}
"""SHA-256 of the files of htmx.org 4.0.1 (0BSD) as npm gives them."""


@pytest.mark.parametrize("place", get_args(KeyPlace))
def test_no_key_means_two_things_on_a_page(place: KeyPlace) -> None:
    keys = [
        key for one in page_keys() for key in one.page if "everywhere" in one.places or place in one.places
    ]
    assert max(Counter(keys).values()) == 1
    firsts = {key.partition(" ")[0] for key in keys if " " in key}
    assert firsts.isdisjoint(keys), "a key that begins another would have to wait"


def test_the_docs_list_every_key() -> None:
    docs = (Path(__file__).resolve().parents[2] / "docs" / "web.md").read_text(encoding="utf-8")
    missing = [key for one in page_keys() for key in one.page if f"`{key}`" not in docs]
    assert missing in ([], ["m 2", "m 3"])


def test_every_key_has_something_to_press() -> None:
    sources = "".join(
        path.read_text(encoding="utf-8") for path in (*TEMPLATES, FOLDER / "static" / "keys.js")
    )
    links = {link.page for link in page_links()}
    for one in page_keys():
        has_handler = f'data-command="{one.command}"' in sources or f"{one.command}:" in sources
        assert has_handler or one.command in links, one.command


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_every_word_of_a_template_is_marked_for_translation(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"\{% trans.*?endtrans %\}|\{\{.*?\}\}|\{%.*?%\}", " ", text, flags=re.DOTALL)
    text = re.sub(r"<kbd>.*?</kbd>|<code>.*?</code>|<title>.*?</title>|<p class=\"brand\">.*?</p>", " ", text)
    attributes = re.findall(r'(?:aria-label|title|placeholder)="([^"]*)"', text)
    words = re.findall(r"[^\W\d_]{2,}", re.sub(r"<[^>]*>", " ", text) + " ".join(attributes))
    assert set(words) <= {"KB"}, words


def test_the_kept_files_are_those_of_htmx() -> None:
    found = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in (FOLDER / "static/vendor").iterdir()
    }
    assert found == KEPT


def test_scripts_are_at_most_45_kilobytes_gzipped() -> None:
    scripts = [FOLDER / "static" / name for name, kind in STATIC.items() if kind == "text/javascript"]
    assert sum(len(gzip.compress(path.read_bytes())) for path in scripts) <= 45_000
    on_disk = {str(path.relative_to(FOLDER / "static")) for path in (FOLDER / "static").rglob("*.*")}
    assert set(STATIC) == {name for name in on_disk if not name.endswith(".txt")}


def test_the_first_page_of_50_000_messages_is_at_most_100_kilobytes() -> None:
    threads = {
        "urgent": 400,
        "suspicious": 600,
        "actionable": 9_000,
        "informational": 20_000,
        "low_priority": 20_000,
    }
    assert set(threads) == set(SECTIONS)
    found = _inbox(threads, IN_ALL)
    page = render(
        "inbox.html", nonce="n" * 22, found=found, labels=(), bucket="", offset=0, limit=IN_ALL, states=()
    )
    assert page.count("<li ") == len(SECTIONS) * IN_ALL
    assert (
        len(page.encode())
        + len(render("shell.html", nonce="n" * 22, api="", language="en", modules=()).encode())
        <= 100_000
    )


def test_a_page_of_a_bucket_holds_at_most_200_rows_and_leads_on() -> None:
    found = _inbox({"urgent": 50_000}, A_PAGE)
    page = render(
        "inbox.html",
        nonce="n",
        found=found,
        labels=(),
        bucket="urgent",
        offset=A_PAGE,
        limit=A_PAGE,
        states=(),
    )
    assert page.count("<li ") == A_PAGE <= 200
    assert "offset=0" in page and f"offset={2 * A_PAGE}" in page
    assert "101 to 200 of 50,000" in page


def test_an_exact_call_is_shown_whole_with_other_organisations_in_red() -> None:
    call = _call()
    counts = {"confirmation": 1, "question": 0, "review": 0, "notify": 0}
    found = {"total": 1, "shown": 1, "waiting": counts, "confirmations": [call], "items": []}
    page = render("waiting.html", nonce="n", found=found, kind="", most=9, groups={})
    assert MARK not in page and str(escape(call["body"])) in page
    assert "What it would do" in page and str(escape(call["details"][0])) in page
    assert 'class="chip urgent" dir="auto">to: Eve &lt;eve@evil.example&gt; · other organisation' in page
    assert "An API key named ‘phone’ asked for it over HTTP." in page
    assert "Hidden in the formatted version" in page and "only in the text of a mail" in page
    assert page.count('data-command="approve"') == page.count('data-command="reject"') == 1


def _call() -> ConfirmationRow:
    return {
        "origin": origin_row(KEY),
        "id": "0123456789abcdef",
        "type": "confirmation",
        "state": "open",
        "server": "",
        "account": "mira@lang.example",
        "created_at": "2026-11-28T10:00:00Z",
        "expires_at": "2026-11-28T11:00:00Z",
        "tool": "send_message",
        "risk": "destructive",
        "text": f"Send a mail {MARK}",
        "recipients": [
            {
                "field": "to",
                "name": "Eve",
                "address": "eve@evil.example",
                "standing": "other_organisation",
                "only_in_text": True,
                "never_written": True,
                "disguise": False,
            }
        ],
        "subject": MARK,
        "body": f"Hello\n{MARK}",
        "html_text": "",
        "hidden": [f"hidden {MARK}"],
        "files": [],
        "messages": [],
        "senders": [],
        "details": [f"Sends it at once {MARK}"],
        "why": "You asked for it.",
        "cohort": "",
        "fingerprint": "f",
    }


def _inbox(threads: dict[str, int], shown: int) -> dict[str, Any]:
    """An inbox document with so many threads a bucket, of which so many are in it."""
    counts = {
        name: {"threads": threads.get(name, 0), "unread": threads.get(name, 0) // 2} for name in SECTIONS
    }
    rows = {name: [_row(name, at) for at in range(min(shown, counts[name]["threads"]))] for name in SECTIONS}
    total = sum(threads.values())
    head = {
        "schema_version": 1,
        "account": "a",
        "total": total,
        "unreadable": 0,
        "unsure": 9,
        "threads": total,
    }
    return {**head, "shown": shown, "counts": counts, "buckets": rows}


def _row(bucket: str, at: int) -> ThreadRow:
    return {
        "id": f"{bucket}-{at:08}",
        "account": "mira@lang.example",
        "also_in": [],
        "message_id": f"<{at}@a.example>",
        "thread_id": f"t{at}",
        "from": {"name": "Katrin Bergmann", "address": "katrin.bergmann@messebau.example"},
        "subject": f"Question {at} about the offer for the stand at the trade fair in Hanover",
        "summary": "The back wall is offered at 2.40 m; they need to know by noon whether it should be 2.50 m.",
        "date": "2026-11-28T10:00:00Z",
        "age_s": 3600 * at,
        "priority": 0.81,
        "reason": 'Katrin Bergmann asks "Could you tell me by tomorrow noon which height it is"; due tomorrow.',
        "confidence": 0.9,
        "unsure": at % 9 == 0,
        "messages": 2,
        "unread": True,
        "content_category": "primary",
        "speech_act": "request",
        "cohort": "default",
        "needs_reply": True,
        "evidence": [],
        "warnings": [],
        "others": [],
    }
