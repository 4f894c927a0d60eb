"""The screen in README.md, printed by the program itself at a fixed moment. Entry point: `generate`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from time import perf_counter

from rich.console import Console

from gaia_email.app import App
from gaia_email.app.documents.card import card_of
from gaia_email.app.documents.listing import InboxListing, InboxPart
from gaia_email.app.services.opening import owner_of, with_mail
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.cli.card import InboxCard
from gaia_email.mailbox.client import MailClient
from gaia_email.triage.inbox import Inbox, triage
from gaia_email.triage.tiers import default_tier

README = Path(__file__).resolve().parent.parent / "README.md"
BEGIN, END = "<!-- screen: written by tools/readme.py -->\n", "<!-- end of screen -->"
TIME = re.compile(r"\d+\.\d s")
NOW = 1_795_000_000.0
"""A Wednesday afternoon; the sample mailbox is dated relative to it."""


def generate() -> Iterator[tuple[Path, str]]:
    """README.md with its screen as the program prints it now; the time in it stays where nothing else has changed."""
    text = README.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    old, _, after = rest.partition(END)
    new = f"```\n$ make demo\n{screen()}```\n"
    if TIME.sub("", new) == TIME.sub("", old):
        new = old
    yield Path("README.md"), f"{before}{BEGIN}{new}{END}{after}"


def screen() -> str:
    """The demo's card, three threads a bucket, without colour."""
    source = SourceSpec(kind="demo", path="", user=())

    async def run(mail: MailClient) -> Inbox:
        return await triage(mail, default_tier(environ=os.environ), now=NOW, owner=owner_of(App(), source))

    started = perf_counter()
    inbox = with_mail(App(), source, run, now=NOW)
    seconds = perf_counter() - started
    out = StringIO()
    console = Console(file=out, width=100, no_color=True, markup=False, emoji=False, highlight=False)
    card = card_of(InboxListing.of([InboxPart.of(inbox)]), now=NOW, most=3)
    InboxCard(card, source, seconds=seconds, per_bucket=3, out=console).print(open_all=False, with_plan=False)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"
