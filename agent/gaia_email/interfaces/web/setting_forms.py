"""Which operation each form of the settings asks, how it is shown, and what takes it back. Entry: `SETTING_FORMS`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gaia_email.app.languages.speaking import N_
from gaia_email.app.operations.operation import Operation
from gaia_email.app.operations.table import OPERATIONS
from gaia_email.interfaces.web.forms.shapes import Schema
from gaia_email.policy.levels import LEVEL_NAMES

Json = dict[str, Any]
Inverse = Callable[[Json, Json], "tuple[str, Json] | None"]
"""From what was asked and the policy before it: the form that takes it back, and its values; None where none does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingForm:
    """A form over an operation.

    Attributes:
        operation: What is asked when it is sent.
        done: What is said then.
        part: The part of the settings that it stands in.
        submit: What its button says.
        fields: How fields are shown, by name, beside what the operation's schema says of them.
        hides: Fields that it has not.
        needs: Fields that may not be left empty, beside those of the schema.
        inverse: What takes it back.
    """

    operation: Operation[Any]
    done: str
    part: str
    submit: str = N_("Save")
    fields: Mapping[str, Schema] = field(default_factory=dict[str, Schema])
    hides: frozenset[str] = frozenset(("dry_run",))
    needs: tuple[str, ...] = ()
    inverse: Inverse = field(default=lambda asked, before: None)

    @property
    def schema(self) -> Schema:
        """Of what is posted."""
        whole: Json = {**self.operation.input_schema}
        given: Mapping[str, Schema] = whole["properties"]
        properties = {
            name: {**one, **self.fields.get(name, {})}
            for name, one in given.items()
            if name not in self.hides
        }
        required = [*whole.get("required", ()), *self.needs]
        return {**whole, "properties": properties, "required": required, "description": ""}


def _back(form: str, *names: str) -> Inverse:
    """Taken back by another form with the same values."""
    return lambda asked, before: (form, {name: asked[name] for name in names if name in asked})


def _quiet_before(asked: Json, before: Json) -> tuple[str, Json]:
    return "quiet_hours", before["quiet_hours"] or {"start": "off"}


def _level_before(asked: Json, before: Json) -> tuple[str, Json] | None:
    was = next((one["level"] for one in before["cohorts"] if one["name"] == asked["cohort"]), None)
    return None if was is None else ("set_level", {"cohort": asked["cohort"], "level": was})


def _setting_before(asked: Json, before: Json) -> tuple[str, Json]:
    if "unsure_below" in asked:
        return "set_policy", {"unsure_below": round(100 * before["unsure_below"])}
    name = "unsubscribe" if "unsubscribe" in asked else "behaviour"
    return "set_policy", {name: "on" if before[name] else "off"}


def _convention_before(asked: Json, before: Json) -> tuple[str, Json]:
    was = next(one["set_to"] for one in before["conventions"] if one["name"] == asked["name"])
    return "convention", {"name": asked["name"], "value": was}


def _cohort_before(asked: Json, before: Json) -> tuple[str, Json]:
    names = [one["name"] for one in before["cohorts"]]
    at = names.index(asked["name"])
    row = before["cohorts"][at]
    after = names[at + 1] if at + 1 < len(names) else "default"
    return "add_cohort", {"name": row["name"], "rules": row["match"], "level": row["level"], "before": after}


_LEVELS: Schema = {
    "enum": list(range(len(LEVEL_NAMES))),
    "x-gaia-names": {str(number): f"L{number} {name}" for number, name in enumerate(LEVEL_NAMES)},
}
_ADDRESS: Schema = {"format": "email", "x-gaia-source": "people"}

SETTING_FORMS: Mapping[str, SettingForm] = {
    "set_level": SettingForm(
        operation=OPERATIONS["set_level"], done=N_("Level changed"), part="levels", inverse=_level_before
    ),
    "set_policy": SettingForm(
        operation=OPERATIONS["set_policy"],
        done=N_("Saved"),
        part="levels",
        hides=frozenset(("dry_run", "unsubscribe", "behaviour")),
        fields={
            "unsure_below": {
                "title": N_("Unsure below"),
                "description": N_("Percent of confidence; with less, the level counts as one less."),
                "minimum": 0,
            }
        },
        needs=("unsure_below",),
        inverse=_setting_before,
    ),
    "switch_policy": SettingForm(
        operation=OPERATIONS["set_policy"],
        done=N_("Saved"),
        part="levels",
        hides=frozenset(("dry_run", "unsure_below")),
        inverse=lambda asked, before: ("switch_policy", _setting_before(asked, before)[1]),
    ),
    "convention": SettingForm(
        operation=OPERATIONS["convention"], done=N_("Saved"), part="levels", inverse=_convention_before
    ),
    "add_cohort": SettingForm(
        operation=OPERATIONS["add_cohort"],
        done=N_("Cohort added"),
        part="levels",
        submit=N_("Add the cohort"),
        fields={
            "rules": {"x-gaia-widget": "lines", "title": N_("Rules, one a line")},
            "level": _LEVELS,
            "before": {"x-gaia-source": "cohorts", "title": N_("Asked before")},
        },
        inverse=_back("remove_cohort", "name"),
    ),
    "remove_cohort": SettingForm(
        operation=OPERATIONS["remove_cohort"],
        done=N_("Cohort removed"),
        part="levels",
        inverse=_cohort_before,
    ),
    "add_vip": SettingForm(
        operation=OPERATIONS["add_vip"],
        done=N_("VIP added"),
        part="people",
        submit=N_("Add"),
        fields={"address": _ADDRESS},
        inverse=_back("remove_vip", "address"),
    ),
    "remove_vip": SettingForm(
        operation=OPERATIONS["remove_vip"],
        done=N_("VIP removed"),
        part="people",
        inverse=_back("add_vip", "address"),
    ),
    "protect": SettingForm(
        operation=OPERATIONS["protect"],
        done=N_("Protected"),
        part="people",
        submit=N_("Protect"),
        fields={"kind": {"title": N_("What")}, "value": {"title": N_("Which")}},
        inverse=_back("unprotect", "kind", "value"),
    ),
    "unprotect": SettingForm(
        operation=OPERATIONS["unprotect"],
        done=N_("No longer protected"),
        part="people",
        inverse=_back("protect", "kind", "value"),
    ),
    "quiet_hours": SettingForm(
        operation=OPERATIONS["quiet_hours"],
        done=N_("Quiet hours changed"),
        part="schedule",
        fields={"start": {"format": "time"}, "end": {"format": "time"}, "zone": {"x-gaia-source": "zones"}},
        inverse=_quiet_before,
    ),
}
"""By the name that is posted as `form`."""
