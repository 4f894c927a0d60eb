"""What a setting is, apart from the table of them, which several files hold. Entry: `Setting`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SettingGroup = Literal["everywhere", "agent", "server", "imap", "gmail", "graph"]
SettingKind = Literal["switch", "text", "path", "names", "address", "choice", "number"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting: its environment variable, its flag, and what it does in a sentence.

    `group` says who takes it: every program, `gaia email`, the mail servers, or the one for
    IMAP, Gmail or Microsoft Graph. `default` is
    as the docs show it; `choices` are what a `choice` can be.
    """

    env: str
    kind: SettingKind
    group: SettingGroup
    default: str
    help: str
    secret: bool = False
    choices: tuple[str, ...] = ()

    @property
    def flag(self) -> str | None:
        """`--read-only` for `GAIA_READ_ONLY`; None for a secret."""
        return None if self.secret else "--" + self.dest.replace("_", "-")

    @property
    def dest(self) -> str:
        """The attribute of the parsed arguments: `read_only` for `GAIA_READ_ONLY`."""
        return self.env.removeprefix("GAIA_").removeprefix("GMAIL_").lower()
