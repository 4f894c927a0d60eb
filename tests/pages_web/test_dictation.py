"""Dictation: speech goes to the model server of this machine alone, and its words to the cursor."""

from __future__ import annotations

import base64
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openai")

from playwright.sync_api import Browser, expect

from gaia_email.models.choice import trust, use
from tests.http.serving import free_port, served_at
from tests.models.in_thread import listening
from tests.models.model_server import Answer, Asked, ModelServer, lemonade
from tests.pages_web.conftest import browsing
from tests.pages_web.pages import PersonsPages
from tests.pages_web.test_browser import OpenedPages, press, violations

pytestmark = pytest.mark.timeout(180)

WAV = b"RIFF\x24\x00\x00\x00WAVEfmt " + bytes(28)
SPEAKS = ("Qwen3-4B-GGUF", "llamacpp"), ("Whisper-Base", "whispercpp")
PATH = "/api/v1/audio/transcriptions"


@contextmanager
def transcribing(*models: tuple[str, str], answer: object) -> Generator[ModelServer]:
    """The chosen model's server, with these models and this answer to a recording."""
    server = ModelServer(pages={**lemonade(*models), PATH: answer})
    with listening(server):
        use(server.address, {"T2": models[0][0]}, PersonsPages(Path()).app.environ)
        yield server


def dictate(pages: PersonsPages, audio: bytes, status: int = 200) -> Any:
    found = pages.person().client.post(
        "/v1/email/dictation", json={"audio": base64.b64encode(audio).decode()}
    )
    assert found.status_code == status, found.text
    return found.json()


def recordings(server: ModelServer) -> list[Asked]:
    return [one for one in server.asked if one.path == PATH]


def test_a_recording_is_written_down_and_only_what_was_asked_for_is_shown(tmp_path: Path) -> None:
    with transcribing(*SPEAKS, answer={"text": " See you\n on\x1b[31m Monday. "}) as server:
        found = dictate(PersonsPages(tmp_path), WAV)
    assert found["text"].startswith("See you on") and "\x1b" not in found["text"]
    assert found["by"] == "Whisper-Base"
    (asked,) = recordings(server)
    assert WAV in asked.body and b'name="model"\r\n\r\nWhisper-Base' in asked.body
    assert "authorization" not in asked.headers


@pytest.mark.parametrize("audio", [b"", b"nothing", b"<script>", b"RIFF1234AVI "])
def test_what_is_no_recording_is_refused_before_anybody_is_asked(tmp_path: Path, audio: bytes) -> None:
    with transcribing(*SPEAKS, answer={"text": "x"}) as server:
        error = dictate(PersonsPages(tmp_path), audio, 422)["error"]
    assert "audio" in error["message"]
    assert not recordings(server)


@pytest.mark.parametrize(
    "answer",
    [
        Answer(status=500, json={}),
        Answer(status=400, json={"error": "no"}),
        Answer(raw=b"", breaks=True),
        Answer(status=307, json={}, headers={"Location": "http://evil.example/"}),
    ],
)
def test_a_server_that_fails_or_sends_elsewhere_is_said(tmp_path: Path, answer: Answer) -> None:
    with transcribing(*SPEAKS, answer=answer):
        pages = PersonsPages(tmp_path)
        found = pages.person().client.post(
            "/v1/email/dictation", json={"audio": base64.b64encode(WAV).decode()}
        )
    assert found.status_code >= 400 and "model server" in found.json()["error"]["message"]


def test_a_model_elsewhere_hears_nothing(tmp_path: Path) -> None:
    with transcribing(SPEAKS[0], ("whisper-1", "cloud"), answer={"text": "x"}) as server:
        error = dictate(PersonsPages(tmp_path), WAV, 502)["error"]
        assert "whisper-1 is not shown mail" in error["message"] and "models trust whisper-1" in error["hint"]
        assert not recordings(server)
        pages = PersonsPages(tmp_path)
        trust(server.address.place, "whisper-1", pages.app.environ)
        assert dictate(pages, WAV)["text"] == "x"


def test_without_a_model_that_transcribes_there_is_no_button_and_a_sentence_says_so(tmp_path: Path) -> None:
    pages = PersonsPages(tmp_path)
    assert "dictation needs one that transcribes" in pages.person().get("compose")
    with transcribing(SPEAKS[0], answer=None):
        page = pages.person().get("compose")
        assert "data-dictate" not in page and "Dictation needs a model on this machine" in page
        assert "no model that transcribes" in dictate(pages, WAV, 404)["error"]["message"]
    with transcribing(*SPEAKS, answer=None):
        page = pages.person().get("compose")
        assert "data-dictate" in page and "Dictation needs" not in page


def test_only_this_page_may_use_the_microphone(tmp_path: Path) -> None:
    headers = PersonsPages(tmp_path).person().client.get("/").headers
    assert headers["permissions-policy"].startswith("microphone=(self), camera=()")


@pytest.fixture(scope="module")
def hearing() -> Iterator[Browser]:
    """A browser whose microphone hears beeps."""
    fakes = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
    with browsing(fakes) as browser:
        yield browser


@contextmanager
def pages_in(browser: Browser, home: Path) -> Generator[OpenedPages]:
    with free_port() as (listening_at, port):
        application, sessions = PersonsPages(home, port=port).interface()
        with served_at(application, listening_at) as url:
            try:
                yield OpenedPages(browser, url, sessions)
            finally:
                for context in browser.contexts:
                    context.close()


def test_what_is_said_is_put_at_the_cursor_and_nothing_leaves_but_to_the_model_server(
    hearing: Browser, tmp_path: Path
) -> None:
    with (
        transcribing(*SPEAKS, answer={"text": "I signed the contract."}) as server,
        pages_in(hearing, tmp_path) as opened,
    ):
        page = opened.open()
        press(page, "c")
        expect(page.locator("#letter-to")).to_be_focused()
        body = page.locator("#letter-body")
        body.focus()
        page.keyboard.type("Hello Ann.")
        button = page.locator("#dictate")
        button.focus()
        press(page, "Enter")
        expect(button).to_have_attribute("aria-pressed", "true")
        expect(button).to_have_text("Listening …")
        assert violations(page) == []
        press(page, "Enter")
        expect(body).to_have_value("Hello Ann. I signed the contract.\n\nBest,")
        expect(button).to_have_attribute("aria-pressed", "false")
        expect(button).to_have_text("Dictate")
        (asked,) = recordings(server)
        assert b"RIFF" in asked.body and b"WAVEfmt" in asked.body
        press(page, "Control+z")
        expect(body).to_have_value("Hello Ann.\n\nBest,")
        assert not opened.wrong


def test_a_model_server_that_fails_says_so_and_leaves_the_text(hearing: Browser, tmp_path: Path) -> None:
    with transcribing(*SPEAKS, answer=Answer(status=500, json={})), pages_in(hearing, tmp_path) as opened:
        page = opened.open()
        press(page, "c")
        button = page.locator("#dictate")
        button.click()
        expect(button).to_have_text("Listening …")
        button.click()
        expect(page.locator("#alerts")).to_contain_text("The model server refused the recording (500).")
        expect(page.locator("#letter-body")).to_have_value("\n\nBest,")


def test_where_nothing_was_heard_nobody_is_asked(hearing: Browser, tmp_path: Path) -> None:
    with transcribing(*SPEAKS, answer={"text": "x"}) as server, pages_in(hearing, tmp_path) as opened:
        page = opened.open()
        page.evaluate(
            "() => { BaseAudioContext.prototype.decodeAudioData = () => Promise.reject(new Error()) }"
        )
        press(page, "c")
        button = page.locator("#dictate")
        button.click()
        expect(button).to_have_text("Listening …")
        button.click()
        expect(page.locator("#alerts")).to_contain_text("Nothing was heard.")
        assert not recordings(server)


def test_a_browser_without_a_microphone_says_what_to_do(hearing: Browser, tmp_path: Path) -> None:
    with transcribing(*SPEAKS, answer={"text": "x"}) as server, pages_in(hearing, tmp_path) as opened:
        page = opened.open()
        page.evaluate("() => { navigator.mediaDevices.getUserMedia = () => Promise.reject(new Error('no')) }")
        press(page, "c")
        page.locator("#dictate").click()
        expect(page.locator("#alerts")).to_contain_text("The browser gives no microphone to this page")
        assert not recordings(server)
