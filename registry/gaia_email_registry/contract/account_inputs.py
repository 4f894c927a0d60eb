"""What the tools about an account's own settings take: `ListSendAs`, `GetVacation`, `SetVacation`."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from gaia_email_registry.contract.fields import Confirmed, LongText, ShortText, ToolInput


class ListSendAs(ToolInput):
    """Input of `list_send_as`."""


class GetVacation(ToolInput):
    """Input of `get_vacation`."""


class SetVacation(Confirmed):
    """Input of `set_vacation`; what is not given stays as it is, an empty time takes it away."""

    empty_counts: ClassVar[frozenset[str]] = frozenset({"subject", "body", "html_body", "start", "end"})
    enabled: bool
    subject: ShortText | None = None
    body: LongText | None = Field(None, description="Plain text")
    html_body: LongText | None = Field(None, description="HTML text; wins over body")
    start: ShortText | None = Field(None, description="RFC 3339 time; empty for none")
    end: ShortText | None = Field(None, description="The same")
    contacts_only: bool | None = Field(None, description="Only to contacts")
    domain_only: bool | None = Field(None, description="Only inside the organisation")
