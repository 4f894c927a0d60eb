"""Unsubscribes from a mailing list: checks the offer, sends the request, logs the outcome. Entry: `OneClick`."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Callable
from dataclasses import dataclass

from gaia_email_registry.egress.flow import reason
from gaia_email_registry.errors import MailError, ProviderError
from gaia_mail.mime.model import Headers
from gaia_mail.mime.read import parse_message
from gaia_mail_mcp.mailbox import Unsubscribed
from gaia_mail_mcp.one_click.log import UnsubscribeAttempt, UnsubscribeLog
from gaia_mail_mcp.one_click.offer import TrustedAuthServers, offer_of
from gaia_mail_mcp.one_click.request import Connect, Resolve, connect_tls, post, resolve_host

_LOG = logging.getLogger("gaia_mail_mcp")


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)


@dataclass(slots=True, kw_only=True)
class OneClick:
    """Unsubscribes an account. Without a `log`, nothing is stored; `account` is its name in the egress ledger."""

    trust: TrustedAuthServers
    account: str = ""
    log: UnsubscribeLog | None = None
    resolve: Resolve = resolve_host
    connect: Connect = connect_tls
    now: Callable[[], dt.datetime] = _now

    async def leave(self, raw: bytes) -> Unsubscribed:
        """Unsubscribe from the list that sent the message `raw`.

        Raises:
            BadArgument: The message makes no trustworthy offer; nothing was sent.
            ProviderError: The list's server did not accept the request.
        """
        headers = parse_message(raw).headers
        offer = offer_of(headers, self.trust)
        at = self.now().isoformat(timespec="seconds")
        try:
            with reason(account=self.account):
                status = await post(offer, self.resolve, self.connect)
        except MailError as error:
            self._keep(headers, at, offer.host, error.kind)
            raise
        self._keep(headers, at, offer.host, str(status))
        if 200 <= status < 300:
            return Unsubscribed(host=offer.host, status=status, at=at)
        raise ProviderError(_explain_status(offer.host, status))

    def _keep(self, headers: Headers, at: str, host: str, outcome: str) -> None:
        if self.log is None:
            return
        entry = UnsubscribeAttempt(
            at=at,
            message_id=headers.get("message-id", "")[:200],
            list_id=headers.get("list-id", "")[:200],
            host=host,
            outcome=outcome,
        )
        try:
            self.log.add(entry)
        except OSError:  # a full disk must not make a request that was sent look as if it was not
            _LOG.warning("The outcome of an unsubscribe at %s (%s) could not be kept.", host, outcome)


def _explain_status(host: str, status: int) -> str:
    if 300 <= status < 400:
        return (
            f"{host} answered with a redirect ({status}), which a one-click unsubscribe never follows; it may not have "
            "taken you off its list."
        )
    return f"{host} refused the request ({status}); you may still be on its list. Try again later."
