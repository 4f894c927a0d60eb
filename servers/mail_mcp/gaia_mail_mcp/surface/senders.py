"""Senders of messages: the addresses an account may send from, with names and signatures.

Entries: `list_send_as`; `SendingIdentity`, `sender_of` and `own_addresses` for building messages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gaia_email_registry.accounts import addresses_in
from gaia_email_registry.contract import inputs
from gaia_email_registry.contract.wire import SendAs, SendAsResult
from gaia_email_registry.errors import BadArgument
from gaia_mail.html_shown import visible_text
from gaia_mail.mime.address import validate_address
from gaia_mail.mime.model import MailboxAddress
from gaia_mail_mcp import convention
from gaia_mail_mcp.mailbox import Capability, OwnAddressMailbox, SendAsMailbox
from gaia_mail_mcp.surface.call import Surface, ToolReply, handles


@dataclass(frozen=True, slots=True, kw_only=True)
class SendingIdentity:
    """The sender of a message, and the signature below its text."""

    mailbox: MailboxAddress
    signature: str = ""
    """HTML of the signature; empty if none was requested."""

    def signed_text(self, text: str) -> str:
        """Return `text` with the signature below the delimiter that mail programs recognize (RFC 3676 §4.3)."""
        if not self.signature:
            return text
        return f"{text.rstrip()}\n\n-- \n{visible_text(self.signature)}\n"

    def signed_html(self, html: str | None) -> str | None:
        """Return `html` with the signature; None stays None."""
        if html is None or not self.signature:
            return html
        return f"{html}\n<br><div>-- </div>\n{self.signature}"


@handles(inputs.ListSendAs)
async def list_send_as(surface: Surface, given: inputs.ListSendAs) -> ToolReply:
    """List all sender addresses, the default first."""
    if not isinstance(surface.mailbox, SendAsMailbox):
        raise BadArgument("This mailbox sends as one address only.")
    found = await surface.mailbox.send_as()
    answer: SendAsResult = {"addresses": found}
    return ToolReply(text="\n".join(_line(item) for item in found), data=answer)


def drafting_as(surface: Surface, found: list[SendAs], given: str | None) -> list[SendAs]:
    """Return the possible senders of a draft. In a mailbox that cannot send, any address is safe."""
    mailbox = surface.mailbox
    if given is None or {Capability.SEND, Capability.SEND_AS} & mailbox.capabilities:
        return found
    wanted = validate_sender(given)
    return [SendAs(address=wanted.address, name=wanted.name, signature="", default=True)]


async def senders(surface: Surface) -> list[SendAs]:
    """Return the sender addresses, the default first; a mailbox without `SEND_AS` has only its own."""
    mailbox = surface.mailbox
    if Capability.SEND_AS in mailbox.capabilities and isinstance(mailbox, SendAsMailbox):
        return await mailbox.send_as()
    name = mailbox.account.rpartition("/")[2]
    address = next(iter(addresses_in(name)), "")
    if not address and isinstance(mailbox, OwnAddressMailbox):
        address = await mailbox.own_address()
    address = address or f"{name}@localhost.invalid"
    return [SendAs(address=address, name="", signature="", default=True)]


def own_addresses(found: Sequence[SendAs]) -> tuple[str, ...]:
    """Return the addresses, in order."""
    return tuple(item["address"] for item in found)


def sender_of(found: Sequence[SendAs], given: str | None, *, signature: bool) -> SendingIdentity:
    """Return the sender for `given`, an address with an optional display name; without it, the default.

    Raises:
        BadArgument: The account cannot send from that address, or it has no signature to append.
    """
    wanted = validate_sender(given) if given else None
    chosen = found[0] if wanted is None else _matching(found, wanted.address)
    if signature and not chosen["signature"].strip():
        raise BadArgument(
            f"{chosen['address']} has no signature; write it into the body instead.", argument="signature"
        )
    name = wanted.name if wanted is not None and wanted.name else chosen["name"]
    return SendingIdentity(
        mailbox=MailboxAddress(name=name, address=chosen["address"]),
        signature=chosen["signature"] if signature else "",
    )


def validate_sender(given: str) -> MailboxAddress:
    """Parse an address for `from`.

    Raises:
        BadArgument: It is not an address.
    """
    try:
        return validate_address(given)
    except BadArgument:
        shown = convention.one_line(given)[:200]
        raise BadArgument(f"{shown} is not an address to send from.", argument="from") from None


def _matching(found: Sequence[SendAs], address: str) -> SendAs:
    for item in found:
        if item["address"].casefold() == address.casefold():
            return item
    known = ", ".join(own_addresses(found)[:5])
    raise BadArgument(
        f"Nothing can be sent as {convention.one_line(address)[:200]}; this account sends as {known}.",
        argument="from",
    )


def _line(item: SendAs) -> str:
    shown = f"{convention.one_line(item['name'])} <{item['address']}>" if item["name"] else item["address"]
    notes = [
        note for note, holds in (("default", item["default"]), ("signature", item["signature"])) if holds
    ]
    return f"{shown} ({', '.join(notes)})" if notes else shown
