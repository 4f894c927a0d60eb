"""The definition of a setting, apart from the tables, which are in several files. Entry: `Setting`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SettingGroup = Literal["everywhere", "agent", "server", "imap", "gmail", "graph"]
SettingKind = Literal["switch", "text", "path", "names", "address", "choice", "number"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting: its environment variable, its flag, and a sentence on what it does.

    `group` is who uses it: every program, `gaia email`, the mail servers, or the server for IMAP, Gmail or Microsoft
    Graph. `default` is the text shown in the docs; `choices` are the values of a `choice`.
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
        """Name among the parsed arguments: `read_only` for `GAIA_READ_ONLY`."""
        return self.env.removeprefix("GAIA_").removeprefix("GMAIL_").lower()
