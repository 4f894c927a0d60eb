"""The states of the product that the user should know about, in one table. Entries: `STATES`, `HeldState`.

Every interface uses these sentences and offers the remedy: a page its button, a terminal its command.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from gaia_email.app.languages.speaking import N_, gettext
from gaia_email.document import Document, Timestamp

StateName = Literal[
    "not_connected",
    "disabled",
    "disconnecting",
    "token_expired",
    "throttled",
    "provider_unreachable",
    "vault_unusable",
    "database_damaged",
    "database_newer",
    "disk_full",
    "run_failed",
    "models_unavailable",
    "model_refused",
    "injection_flagged",
    "travel_mode",
]
"""State names, most important first."""


class HeldState(Document, frozen=True, kw_only=True):
    """A current state. `said` is the original error text, in English; `account` is empty if all are affected."""

    state: StateName
    account: str = ""
    since: Timestamp | None = None
    said: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateMeaning:
    """The meaning of a state, and its remedy.

    Attributes:
        says: A sentence, with `{account}` if it concerns one account.
        button: The remedy, in a word or two.
        leads_to: Target of a page's button: `#page`, `ui/NAME` for a change, or `again` to check again.
        command: The same for a terminal, with `{account}`.
        is_wrong: True if the state persists until someone acts.
        hides_mail: True if no mail can be shown in the meantime.
        again_s: Seconds after which the interface checks again, since the state may end by itself; 0 for events alone.
    """

    says: str
    button: str
    leads_to: str
    command: str
    is_wrong: bool = True
    hides_mail: bool = False
    again_s: int = 0


_AGAIN = N_("Try again")

STATES: Mapping[StateName, StateMeaning] = {
    "not_connected": StateMeaning(
        says=N_("No mailbox is connected yet."),
        button=N_("Connect a mailbox"),
        leads_to="#connect",
        command="gaia email connect",
        is_wrong=False,
        hides_mail=True,
    ),
    "disabled": StateMeaning(
        says=N_("{account} is switched off: nothing of it is read or changed."),
        button=N_("Switch on"),
        leads_to="ui/enable",
        command="gaia email enable --account {account}",
        is_wrong=False,
    ),
    "disconnecting": StateMeaning(
        says=N_("{account} is being disconnected, which takes a few seconds."),
        button=N_("Switch on"),
        leads_to="ui/enable",
        command="gaia email enable --account {account}",
        is_wrong=False,
        again_s=5,
    ),
    "token_expired": StateMeaning(
        says=N_("{account} does not accept the login any more. What was read before is shown."),
        button=N_("Log in again"),
        leads_to="#connect",
        command="gaia email connect --email {account}",
        again_s=60,
    ),
    "throttled": StateMeaning(
        says=N_("{account}: the provider asks for a pause. What was read before is shown."),
        button=_AGAIN,
        leads_to="again",
        command="gaia email inbox",
        is_wrong=False,
        again_s=60,
    ),
    "provider_unreachable": StateMeaning(
        says=N_("{account} does not answer. What was read before is shown."),
        button=_AGAIN,
        leads_to="again",
        command="gaia email doctor",
        again_s=10,
    ),
    "vault_unusable": StateMeaning(
        says=N_("The password of {account} cannot be read: the vault is locked or damaged."),
        button=_AGAIN,
        leads_to="again",
        command="gaia email doctor",
        again_s=10,
    ),
    "database_damaged": StateMeaning(
        says=N_("The database of this program is damaged, and was left as it is. Put a backup back."),
        button=_AGAIN,
        leads_to="again",
        command="gaia email doctor",
        hides_mail=True,
        again_s=5,
    ),
    "database_newer": StateMeaning(
        says=N_("A newer version of this program wrote the database. Update this one."),
        button=_AGAIN,
        leads_to="again",
        command="gaia email doctor",
        hides_mail=True,
        again_s=5,
    ),
    "disk_full": StateMeaning(
        says=N_("The disk is full: nothing can be written, and nothing was lost. Free some space."),
        button=_AGAIN,
        leads_to="again",
        command="gaia email purge --mail",
        again_s=5,
    ),
    "run_failed": StateMeaning(
        says=N_("The last run failed."),
        button=N_("See what was done"),
        leads_to="#activity",
        command="gaia email runs",
    ),
    "models_unavailable": StateMeaning(
        says=N_("The language model that you chose does not answer; the rules judge alone."),
        button=_AGAIN,
        leads_to="again",
        command="gaia email models",
        is_wrong=False,
        again_s=60,
    ),
    "model_refused": StateMeaning(
        says=N_("A language model was refused: it could be that mail leaves this machine."),
        button=N_("See the connections"),
        leads_to="#activity",
        command="gaia email models",
    ),
    "injection_flagged": StateMeaning(
        says=N_("This mail speaks to machines: it holds text that is meant for a model and not for you."),
        button=N_("Archive"),
        leads_to="ui/archive",
        command="gaia email show",
    ),
    "travel_mode": StateMeaning(
        says=N_("Travel mode: the agent does no more than you allowed for it."),
        button=N_("End travel mode"),
        leads_to="ui/end-travel",
        command="gaia email travel-mode off",
        is_wrong=False,
    ),
}


def state_sentence(row: Mapping[str, Any]) -> str:
    """Return a sentence about the state, in the current language."""
    return gettext(STATES[row["state"]].says).format(account=row["account"])


def state_command(row: Mapping[str, Any]) -> str:
    """Return the command that helps in a terminal."""
    return STATES[row["state"]].command.format(account=row["account"])
