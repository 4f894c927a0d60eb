"""Inputs of the peer's endpoints. Names, limits and defaults follow its contract 2.14."""

from __future__ import annotations

import re
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from gaia_email.interfaces.http.connections import AccessToken, ExpiresAt

CONTRACT = "2.14"

RUN_ID = "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$"

UNSEEN = (
    r"\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
)
"""Regex class of characters that break a line, are invisible, or change the text direction."""

_UNSEEN = re.compile(f"[{UNSEEN}\ud800-\udfff\U000e0000-\U000e007f]")

_PART = f'[^@\\s<>,;"{UNSEEN}]+'

Line = Annotated[str, Meta(max_length=2_000)]
SeenLine = Annotated[
    str, Meta(max_length=2_000, pattern=f"^[^{UNSEEN}]*$", description="One line, of which all can be seen.")
]
PeerLabelName = Annotated[str, Meta(min_length=1, max_length=2_000)]
PeerText = Annotated[str, Meta(max_length=1_000_000)]
PeerId = Annotated[str, Meta(min_length=1, max_length=500)]
ContractVersion = Annotated[str, Meta(max_length=20)]
Provider = Annotated[
    str,
    Meta(
        max_length=200, description="google, microsoft, microsoft_work, or the name of a connected account."
    ),
]
PROVIDER = "^[A-Za-z0-9._@-]{1,100}$"
"""Pattern for the name of a provider in a path."""

Token = Annotated[str, Meta(max_length=200)]


class PeerInput(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of a request."""


class PeerAddress(PeerInput, frozen=True, kw_only=True):
    """A mailbox."""

    email: Annotated[str, Meta(max_length=320, pattern=f"^{_PART}@{_PART}$")]
    name: SeenLine | None = None

    def __post_init__(self) -> None:
        """Refuse what a pattern cannot express: `$` also matches before a final newline."""
        if _UNSEEN.search(self.email + (self.name or "")):
            raise ValueError("a name and an address are one line of text")


class PeerFile(PeerInput, frozen=True, kw_only=True):
    """A file that comes with a message, without its bytes."""

    filename: Line
    mime_type: Annotated[str, Meta(max_length=200)]
    size_bytes: Annotated[int, Meta(ge=0)]
    attachment_id: Line | None = None


class PeerOutgoingFile(PeerInput, frozen=True, kw_only=True):
    """A file that is to be sent."""

    filename: Line
    mime_type: Annotated[str, Meta(max_length=200)]
    content_base64: str


class PeerMessage(PeerInput, frozen=True, kw_only=True):
    """A message that is handed over."""

    message_id: PeerId
    sender: PeerAddress = msgspec.field(name="from")
    body: PeerText
    subject: Line = ""
    to: Annotated[tuple[PeerAddress, ...], Meta(max_length=1_000)] = ()
    cc: Annotated[tuple[PeerAddress, ...], Meta(max_length=1_000)] = ()
    bcc: Annotated[tuple[PeerAddress, ...], Meta(max_length=1_000)] = ()
    date: Annotated[str, Meta(max_length=60, description="ISO 8601")] | None = None
    thread_id: Line | None = None
    attachments: Annotated[tuple[PeerFile, ...], Meta(max_length=200)] = ()


class SingleInput(PeerInput, frozen=True, kw_only=True, tag_field="kind", tag="single"):
    """One message, and whose inbox it is in."""

    principal: PeerAddress
    message: PeerMessage


class ThreadPayload(PeerInput, frozen=True, kw_only=True, tag_field="kind", tag="thread"):
    """A thread, oldest first, and whose inbox it is in."""

    principal: PeerAddress
    thread_id: PeerId
    messages: Annotated[tuple[PeerMessage, ...], Meta(min_length=1, max_length=200)]


PeerPayload = SingleInput | ThreadPayload


class TriageHints(PeerInput, frozen=True, kw_only=True):
    """Facts about the principal that the caller knows; `projects` and `tone` change no verdict here."""

    people: Annotated[tuple[Line, ...], Meta(max_length=1_000)] = ()
    projects: Annotated[tuple[Line, ...], Meta(max_length=1_000)] = ()
    self_email: Annotated[str, Meta(max_length=320)] | None = None
    tone: Line | None = None


class PeerTriageInput(PeerInput, frozen=True, kw_only=True):
    """One message or thread to judge."""

    payload: PeerPayload
    context: TriageHints | None = None
    schema_version: ContractVersion = CONTRACT


class BatchInput(PeerInput, frozen=True, kw_only=True):
    """Up to a hundred of them."""

    items: Annotated[tuple[PeerPayload, ...], Meta(min_length=1, max_length=100)]
    context: TriageHints | None = None
    schema_version: ContractVersion = CONTRACT


class PeerSearchInput(PeerInput, frozen=True, kw_only=True):
    """A query; without one, the inbox."""

    query: Annotated[str, Meta(max_length=6_000)] | None = None
    labels: Annotated[tuple[PeerLabelName, ...], Meta(max_length=20)] | None = None
    max_results: Annotated[int, Meta(ge=1, le=100)] = 25
    page_token: Annotated[str, Meta(max_length=20)] | None = None
    schema_version: ContractVersion = CONTRACT


class PreScanInput(PeerInput, frozen=True, kw_only=True):
    """Number of rows."""

    max_messages: Annotated[int, Meta(ge=1, le=100)] = 50
    schema_version: ContractVersion = CONTRACT


class AttentionInput(PeerInput, frozen=True, kw_only=True):
    """Number of rows, in the query of a URL."""

    max_messages: Annotated[int, Meta(ge=1, le=1_000)] = 50


class PeerDraftInput(PeerInput, frozen=True, kw_only=True):
    """A mail to be sent once a person agreed to it."""

    to: Annotated[tuple[PeerAddress, ...], Meta(min_length=1, max_length=100)]
    subject: SeenLine
    body: PeerText
    provider: Provider | None = None
    attachments: tuple[PeerOutgoingFile, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what a pattern cannot express: `$` also matches before a final newline."""
        if _UNSEEN.search(self.subject):
            raise ValueError("a subject is one line of text")


class PeerSendInput(PeerDraftInput, frozen=True, kw_only=True):
    """The same mail with its token."""

    confirmation_token: Token | None = None


class PeerConfirmInput(PeerInput, frozen=True, kw_only=True):
    """A message, and what is to be done with it."""

    action: Literal["archive", "quarantine"]
    message_id: PeerId
    provider: Provider | None = None


class PeerArchiveInput(PeerInput, frozen=True, kw_only=True):
    """A message to archive, with its token."""

    message_id: PeerId
    confirmation_token: Token | None = None
    provider: Provider | None = None


class QuarantineInput(PeerInput, frozen=True, kw_only=True):
    """A message to move to spam, with its token."""

    message_id: PeerId
    is_phishing: Annotated[bool, Meta(extra_json_schema={"enum": [True]})]
    confirmation_token: Token | None = None
    provider: Provider | None = None


class UnarchiveInput(PeerInput, frozen=True, kw_only=True):
    """Answer of `archive`."""

    batch_id: PeerId
    provider: Provider | None = None


class UnquarantineInput(PeerInput, frozen=True, kw_only=True):
    """Answer of `quarantine`."""

    action_id: PeerId
    provider: Provider | None = None


class PeerTurn(PeerInput, frozen=True, kw_only=True):
    """Something that was said before."""

    role: Line
    content: Annotated[str, Meta(max_length=20_000)]


class PeerQueryInput(PeerInput, frozen=True, kw_only=True):
    """A line of the user, and how it may be answered."""

    query: Annotated[str, Meta(min_length=1, max_length=4_000)]
    run_id: Annotated[str, Meta(pattern=RUN_ID)]
    context: Annotated[tuple[PeerTurn, ...], Meta(max_length=200)]
    provider: Line | None = None
    model: Annotated[str, Meta(max_length=200)] | None = None
    max_steps: Annotated[int, Meta(ge=1)] | None = None
    session_id: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,128}$")] | None = None
    can_answer_questions: bool = False


class PeerRespondInput(PeerInput, frozen=True, kw_only=True):
    """The answer to a question of a run."""

    request_id: Annotated[str, Meta(min_length=1, max_length=100)]
    value: Annotated[str, Meta(min_length=1, max_length=4_000)]


class ConnectionInput(PeerInput, frozen=True, kw_only=True):
    """A login that a host forwards: an access token that ends soon, and nothing to renew it with."""

    access_token: AccessToken
    expires_at: ExpiresAt
    account_email: Annotated[str, Meta(max_length=320)] | None = None
    scopes: Annotated[tuple[Line, ...], Meta(max_length=200)] = ()


class EventsInput(PeerInput, frozen=True, kw_only=True):
    """A span of a calendar, as a query says it."""

    time_min: Annotated[str, Meta(max_length=64)] | None = None
    time_max: Annotated[str, Meta(max_length=64)] | None = None
    provider: Provider | None = None


class EventTime(PeerInput, frozen=True, kw_only=True):
    """A time, or a day."""

    date_time: Line | None = None
    date: Line | None = None
    time_zone: Line | None = None


class EventInput(PeerInput, frozen=True, kw_only=True):
    """An event to put into a calendar."""

    summary: Annotated[str, Meta(min_length=1, max_length=2_000)]
    start: EventTime
    end: EventTime
    attendees: Annotated[tuple[Line, ...], Meta(max_length=200)] = ()
    description: PeerText | None = None
    location: Line | None = None
    provider: Provider | None = None
    confirmation_token: Token | None = None
    schema_version: ContractVersion = CONTRACT


class InvitationInput(PeerInput, frozen=True, kw_only=True):
    """The answer to an invitation."""

    event_id: PeerId
    status: Literal["accepted", "declined", "tentative"]
    attendee_email: Annotated[str, Meta(max_length=320)]
    provider: Provider | None = None
    schema_version: ContractVersion = CONTRACT
