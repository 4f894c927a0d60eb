"""Push notifications from Google: settings, parsing, and waking up waiting calls.

Entries: `PushTopic`, `News`, `read_notification`.

https://developers.google.com/workspace/gmail/api/guides/push
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from gaia_email_registry.errors import BadArgument
from gaia_mail_mcp.notifier import Notifier
from gaia_mail_mcp.web.endpoints import service_root
from gaia_mail_mcp.web.json_files import is_object

PUBSUB = "https://pubsub.googleapis.com"
CERTS = "https://www.googleapis.com/oauth2/v3/certs"
PATH = "/push/gmail"
"""Path that Pub/Sub pushes to, on a server started with `--http`."""

_TOPIC = re.compile(r"projects/[a-z0-9.:-]{1,63}/topics/[A-Za-z][A-Za-z0-9._~+%-]{2,254}\Z", re.ASCII)
_SUBSCRIPTION = re.compile(
    r"projects/[a-z0-9.:-]{1,63}/subscriptions/[A-Za-z][A-Za-z0-9._~+%-]{2,254}\Z", re.ASCII
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PushTopic:
    """The topic that Gmail publishes to; notifications arrive via `subscription` or as pushes for `audience`."""

    topic: str = ""
    subscription: str = ""
    audience: str = ""
    service_account: str = ""
    root: str = PUBSUB
    certs_url: str = CERTS

    @classmethod
    def from_environment(cls, environ: Mapping[str, str]) -> PushTopic:
        """Read the settings from the environment; a client can never name a topic.

        Raises:
            BadArgument: A name or URL is invalid, or one of two related settings is missing.
        """
        given = {
            name: environ.get(f"GAIA_PUBSUB_{name}", "").strip()
            for name in ("TOPIC", "SUBSCRIPTION", "AUDIENCE", "SERVICE_ACCOUNT")
        }
        for name, form in (("TOPIC", _TOPIC), ("SUBSCRIPTION", _SUBSCRIPTION)):
            if given[name] and not form.match(given[name]):
                example = f"projects/my-project/{name.lower()}s/gmail"
                raise BadArgument(f"GAIA_PUBSUB_{name} is written as {example}.", argument=name.lower())
        if bool(given["AUDIENCE"]) != bool(given["SERVICE_ACCOUNT"]):
            raise BadArgument(
                "GAIA_PUBSUB_AUDIENCE and GAIA_PUBSUB_SERVICE_ACCOUNT are set together: who pushes, and to whom."
            )
        return cls(
            topic=given["TOPIC"],
            subscription=given["SUBSCRIPTION"],
            audience=given["AUDIENCE"],
            service_account=given["SERVICE_ACCOUNT"],
            root=service_root("GAIA_PUBSUB_ROOT", environ) or PUBSUB,
            certs_url=service_root("GAIA_GOOGLE_CERTS_URL", environ) or CERTS,
        )

    @property
    def is_heard(self) -> bool:
        """True if push notifications reach this program."""
        return bool(self.subscription or self.audience)


@dataclass(slots=True)
class News:
    """Wakes up calls that wait for mail. Read `heard` before checking the mailbox so as not to miss anything."""

    heard: int = 0
    _notifier: Notifier = field(default_factory=Notifier)

    def tell(self) -> None:
        """Signal that something happened in the mailbox."""
        self.heard += 1
        self._notifier.notify()

    async def after(self, heard: int, timeout_s: float) -> None:
        """Wait until `tell` has been called more than `heard` times, at most `timeout_s` seconds."""
        if self.heard == heard:
            await self._notifier.wait(timeout_s)


@dataclass(frozen=True, slots=True, kw_only=True)
class Notification:
    """Something happened in the mailbox of `address`, whose history has reached `history`."""

    address: str
    history: str


def read_notification(data: object) -> Notification | None:
    """Return the notification in the data of a Pub/Sub message; None if it is not from Gmail."""
    if not isinstance(data, str):
        return None
    try:
        text = base64.b64decode(data.replace("-", "+").replace("_", "/") + "===")
        found: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not is_object(found):
        return None
    address, history = found.get("emailAddress"), found.get("historyId")
    if not isinstance(address, str) or not isinstance(history, (int, str)):
        return None
    return Notification(address=address, history=str(history))
