"""Messages above what Microsoft takes as one: what arrives is what was written, and half a message is never kept."""

from __future__ import annotations

import asyncio
import hashlib
import random
from collections.abc import Awaitable, Callable
from email.message import EmailMessage
from pathlib import Path

import pytest

from gaia_email_registry.errors import BadArgument, ProviderError
from gaia_graph_mcp.uploading import detach_large
from gaia_mail.mime.read import parse_message
from tests.gmail.emulator.http import Request, Response
from tests.graph.emulator.answering import throttled
from tests.graph.emulator.emulator import Emulator
from tests.graph.support import EmulatedMailbox, open_emulated


def noise(size: int, seed: int) -> bytes:
    return random.Random(seed).randbytes(size)


def letter(*sizes: int, picture: int = 0) -> bytes:
    """A message with attachments of these sizes, and a picture in its HTML."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "me@example.org", "ann@example.org", "Grüße"
    message["Message-ID"] = "<large@example.org>"
    message.set_content("Line\n\nFrom the garden\n")
    if picture:
        message.add_alternative('<p>Look: <img src="cid:p1"></p>', subtype="html")
        html = message.get_body(("html",))
        assert html is not None
        html.add_related(noise(picture, 99), "image", "png", cid="<p1>")
    for number, size in enumerate(sizes):
        message.add_attachment(
            noise(size, number), maintype="application", subtype="pdf", filename=f"a b{number}.pdf"
        )
    return message.as_bytes()


def played(folder: Path, scenario: Callable[[EmulatedMailbox], Awaitable[None]]) -> None:
    async def main() -> None:
        mailbox = await open_emulated(Emulator(), folder)
        try:
            async with asyncio.timeout(60):
                await scenario(mailbox)
        finally:
            await mailbox.aclose()

    asyncio.run(main())


def files(raw: bytes) -> list[tuple[str, str]]:
    """Names and digests."""
    return sorted(
        (part.filename, hashlib.sha256(part.content).hexdigest()) for part in parse_message(raw).attachments
    )


@pytest.mark.parametrize("sizes", [(3_500_000,), (9_000_001, 10), (1_200_000, 1_300_000, 1_400_000)])
def test_a_heavy_message_arrives_whole(tmp_path: Path, sizes: tuple[int, ...]) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        raw = letter(*sizes)
        await mailbox.send(raw, None)
        (sent,) = mailbox.emulator.account.sent
        assert files(sent) == files(raw)
        assert "From the garden" in parse_message(sent).text

    played(tmp_path, scenario)


def test_a_picture_in_the_text_stays_in_the_text(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        await mailbox.send(letter(100, picture=3_200_000), None)
        (sent,) = mailbox.emulator.account.sent
        assert b"Content-ID: <p1>" in sent and b"cid:p1" in sent

    played(tmp_path, scenario)


def test_pieces_that_fail_are_sent_again_and_none_twice(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        faults: list[Response | None] = [
            None,
            throttled(),
            None,
            Response(status=503),
            Response(hang_up=True),
        ]
        seen: list[str] = []

        def fault(request: Request) -> Response | None:
            if request.method != "PUT":
                return None
            seen.append(request.headers["content-range"])
            return faults.pop(0) if faults else None

        mailbox.emulator.fault = fault
        raw = letter(9_000_001)
        await mailbox.send(raw, None)
        assert files(mailbox.emulator.account.sent[0]) == files(raw)
        assert len(set(seen)) == 3 and len(seen) == 6

    played(tmp_path, scenario)


def test_a_message_that_cannot_be_handed_over_whole_is_not_sent_and_not_kept(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        emulator = mailbox.emulator
        emulator.fault = lambda request: Response(status=400) if request.method == "PUT" else None
        with pytest.raises(ProviderError, match="attachment could not be handed over"):
            await mailbox.send(letter(3_500_000), None)
        assert emulator.account.items == {} and emulator.account.sent == []

    played(tmp_path, scenario)


def test_an_upload_goes_to_microsoft_only(tmp_path: Path) -> None:
    async def scenario(mailbox: EmulatedMailbox) -> None:
        def fault(request: Request) -> Response | None:
            if request.path.endswith("createUploadSession"):
                body = b'{"uploadUrl": "https://office.com.evil.example/x"}'
                return Response(status=201, headers={"Content-Type": "application/json"}, body=body)
            return None

        mailbox.emulator.fault = fault
        with pytest.raises(ProviderError, match="another server"):
            await mailbox.send(letter(3_500_000), None)
        assert mailbox.emulator.account.items == {}

    played(tmp_path, scenario)


def test_what_cannot_be_taken_apart_is_refused_in_words() -> None:
    long = b"To: ann@example.org\r\n\r\n" + b"x" * 3_100_000
    with pytest.raises(BadArgument, match=r"besides its attachments"):
        detach_large(long, 3_000_000)
    signed = letter(3_500_000).replace(b"multipart/mixed", b"multipart/signed")
    with pytest.raises(BadArgument, match="do not sign or encrypt"):
        detach_large(signed, 3_000_000)
