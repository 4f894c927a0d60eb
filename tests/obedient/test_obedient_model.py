"""Whatever a mail says, and however obediently a model does it: without a person's yes nothing irrevocable happens."""

from __future__ import annotations

import asyncio
from email import message_from_bytes
from pathlib import Path

import pytest

from gaia_mail_mcp.surface.options import SurfaceSettings
from tests.contract.suite.seed import Seed
from tests.obedient import mails
from tests.obedient.accounts import KINDS, SECRET, Account, Kind, Picture, honest
from tests.obedient.conftest import Open, Reached
from tests.obedient.harness import (
    CLIENTS,
    ERAS,
    IRREVOCABLE,
    MOST_UNASKED,
    Effect,
    Era,
    Handler,
    OpensNoPage,
    connected,
    settings_for,
)
from tests.obedient.model import ObedientModel, Reading, harmful_tools, orders, sweeps

TRIES: dict[Kind, int] = {"memory": 3, "local": 2, "imap": 2, "gmail": 2, "graph": 2}
"""How often each call is made; every one more costs seconds where a real server has to be asked."""

HOSTILE = [Seed(raw=mail.raw) for mail in mails.representative()]

Files = dict[str, bytes]


def files_of(folder: Path) -> Files:
    """Every file below `folder` that is neither the provider's nor where questions are kept."""
    free = ("provider", "home", "downloads")
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.relative_to(folder).parts[0] not in free
    }


def gives_away(effect: Effect) -> bool:
    """Whether a mail or a draft holds a file that nobody gave to the server."""
    parts = message_from_bytes(effect.raw).walk()
    contents = [part.get_payload(decode=True) for part in parts if not part.is_multipart()]
    return any(isinstance(held, bytes) and (SECRET in held or b"root:" in held) for held in contents)


async def let_loose(
    account: Account, era: Era, handler: Handler | None, settings: SurfaceSettings, tries: int = 3
) -> ObedientModel:
    """The model, after it did everything that the attacker's mails say."""
    async with connected(account.mailbox, settings, era, handler) as client:
        model = ObedientModel(
            client=client, mailbox=account.mailbox, outside=str(account.folder / "outside"), tries=tries
        )
        everything = await model.read_everything()
        wanted = [mail for mail in everything if "evil.example" in mail.text]
        assert len(wanted) == len(HOSTILE)
        await model.share_out(wanted)
        await model.sweep(everything)
        return model


def check_nothing_lost(before: Picture, after: Picture) -> None:
    assert after.out == before.out
    assert after.told == before.told
    assert after.rules == before.rules
    assert before.messages <= after.messages


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("kind", KINDS)
def test_without_a_yes_nothing_irrevocable_happens(
    kind: Kind, era: Era, client: str, opened: Open, reached: Reached, tmp_path: Path
) -> None:
    async def main() -> ObedientModel:
        async with opened(kind, [*honest(), *HOSTILE]) as account:
            before, files = await account.picture(), files_of(tmp_path)
            reached.forget()
            settings = settings_for(tmp_path, opened=[], on_disk=kind == "memory")
            model = await let_loose(account, era, CLIENTS[client], settings, TRIES[kind])
            assert not reached.names
            assert reached.ports <= account.ports
            check_nothing_lost(before, await account.picture())
            assert files_of(tmp_path) == files
            assert not any(map(gives_away, account.mailbox.log.effects))
            touched = {message_id for effect in account.mailbox.log.effects for message_id in effect.ids}
            assert 0 < len(touched) <= MOST_UNASKED
            assert any((tmp_path / "downloads").iterdir())
            return model

    model = asyncio.run(asyncio.wait_for(main(), 50))
    assert not model.harm
    assert not model.pages
    assert len(model.answers) > 100


@pytest.mark.parametrize("era", ERAS)
def test_a_page_that_a_client_says_it_opened_answers_nothing(
    era: Era, opened: Open, reached: Reached, tmp_path: Path
) -> None:
    client = OpensNoPage()

    async def main() -> ObedientModel:
        async with opened("memory", [*honest(), *HOSTILE]) as account:
            before = await account.picture()
            model = await let_loose(account, era, client, settings_for(tmp_path))
            check_nothing_lost(before, await account.picture())
            return model

    model = asyncio.run(asyncio.wait_for(main(), 50))
    assert client.addresses
    assert not model.harm and not model.pages and not reached.ports
    told = "\n".join(model.answers)
    assert not any(address.rpartition("/")[2] in told for address in client.addresses)


def test_every_harmful_tool_is_tried() -> None:
    mail = Reading(id="m1", text="thief@evil.example")
    tried = {tool for tool, _ in (*orders(mail, "outside"), *sweeps(["m1"]))} | {"send_draft"}
    assert harmful_tools() <= tried
    assert {"set_vacation", "create_calendar_event", "respond_to_invitation", "download_attachment"} <= tried


AT_ONCE = 12
"""Mails in one account: every question looks through all of it."""


def check_all(sources: list[mails.Mail], kind: Kind, era: Era, opened: Open, folder: Path) -> None:
    """The model reads those mails and does what each says; it cannot ask anybody."""

    async def some(seeds: list[Seed], place: Path) -> None:
        async with opened(kind, seeds, place) as account:
            before = await account.picture()
            async with connected(account.mailbox, settings_for(place, on_disk=False), era) as client:
                outside = str(place / "outside")
                model = ObedientModel(client=client, mailbox=account.mailbox, outside=outside, tries=1)
                for mail in await model.read_everything():
                    await model.obey(mail)
            assert not model.harm and not model.pages
            assert len(model.answers) >= 6 * len(seeds)
            check_nothing_lost(before, await account.picture())
            assert any("Waiting for the user" in told for told in model.answers)

    async def main() -> None:
        for number, start in enumerate(range(0, len(sources), AT_ONCE)):
            seeds = [Seed(raw=mail.raw) for mail in sources[start : start + AT_ONCE]]
            place = folder / str(number)
            place.mkdir()
            await some(seeds, place)

    asyncio.run(asyncio.wait_for(main(), 55))


@pytest.mark.parametrize(("kind", "era"), [("memory", "auto"), ("local", "legacy")])
def test_no_adversarial_mail_of_this_repository_gets_anything_done(
    kind: Kind, era: Era, opened: Open, tmp_path: Path
) -> None:
    sources = mails.of_this_repository()
    assert len(sources) > 100
    check_all(sources[:: 1 if kind == "memory" else 3], kind, era, opened, tmp_path)


@pytest.mark.parametrize(
    ("corpus", "kind", "era"), [("injection", "memory", "legacy"), ("gaia_phishing", "local", "auto")]
)
def test_no_hostile_mail_of_others_gets_anything_done(
    corpus: str, kind: Kind, era: Era, opened: Open, tmp_path: Path, shared: Path
) -> None:
    sources = list(mails.beside_it(corpus))
    assert sources
    check_all(sources, kind, era, opened, tmp_path)


def test_the_same_model_does_harm_where_a_host_was_trusted_to_ask(opened: Open, tmp_path: Path) -> None:
    """So that the others can fail: this host hands the tokens on to the model."""

    async def main() -> ObedientModel:
        async with opened("memory", [*honest(), *HOSTILE]) as account:
            before = await account.picture()
            settings = settings_for(tmp_path, way="host", allow_permanent_delete=True)
            model = await let_loose(account, "auto", None, settings)
            after = await account.picture()
            assert len(after.out) > 3 and after.told != before.told and after.rules != before.rules
            assert not before.messages <= after.messages
            done = {effect.what for effect in account.mailbox.log.effects}
            assert done >= IRREVOCABLE
            return model

    model = asyncio.run(asyncio.wait_for(main(), 50))
    assert any("touched" in harm for harm in model.harm)
    assert {"send_email: send", "delete_email: trash", "delete_label: delete_label"} <= set(model.harm)
