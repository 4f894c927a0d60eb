"""The settings forms: their operations, their fields, and their inverses. Entry: `SETTING_FORMS`."""

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
"""Maps the input and the earlier state to the form that undoes a change, with its values; None if there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingForm:
    """A form for an operation.

    Attributes:
        operation: The operation that it calls.
        done: The note after success.
        part: The part of the settings that contains it.
        submit: The text of its button.
        fields: Presentation of fields by name, merged with the operation's schema.
        hides: Fields that it does not show.
        needs: Fields that must not be empty, in addition to those in the schema.
        inverse: Returns the form that undoes it.
        before: The operation whose document has the earlier state.
    """

    operation: Operation[Any]
    done: str
    part: str
    submit: str = N_("Save")
    fields: Mapping[str, Schema] = field(default_factory=dict[str, Schema])
    hides: frozenset[str] = frozenset(("dry_run",))
    needs: tuple[str, ...] = ()
    inverse: Inverse = field(default=lambda asked, before: None)
    before: str = "policy"

    @property
    def schema(self) -> Schema:
        """Schema of the posted fields."""
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
    """Return an inverse that posts the same values to another form."""
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


def _program_setting_before(asked: Json, before: Json) -> tuple[str, Json]:
    (name,) = asked
    was = next(one["value"] for one in before["settings"] if one["name"] == name)
    if name == "retention_days":
        return "retention", {name: int(was)}
    return "switch_setting", {name: "on" if was else "off"}


def _schedule_before(asked: Json, before: Json) -> tuple[str, Json] | None:
    was = next((one for one in before["schedules"] if one["name"] == asked["name"]), None)
    return (
        None
        if was is None
        else ("add_schedule", {name: was[name] for name in ("kind", "cron", "zone", "name")})
    )


def _travel_before(asked: Json, before: Json) -> tuple[str, Json]:
    until = before["switches"]["travel_until"]
    return "travel", {"until": until[:10] if until else "off"}


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
            "rules": {"x-gaia-widget": "lines", "title": N_("Rules, one per line")},
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
    "pause": SettingForm(
        operation=OPERATIONS["pause"], done=N_("Paused"), part="agent", inverse=_back("resume")
    ),
    "resume": SettingForm(operation=OPERATIONS["resume"], done=N_("The agent may act again"), part="agent"),
    "travel": SettingForm(
        operation=OPERATIONS["travel"],
        done=N_("Travel mode changed"),
        part="agent",
        submit=N_("Travel until then"),
        fields={"until": {"format": "date", "title": N_("Until")}},
        inverse=_travel_before,
        before="status",
    ),
    "disable": SettingForm(
        operation=OPERATIONS["disable"],
        done=N_("Switched off"),
        part="agent",
        inverse=_back("enable", "account"),
    ),
    "enable": SettingForm(
        operation=OPERATIONS["enable"],
        done=N_("Switched on"),
        part="agent",
        inverse=_back("disable", "account"),
    ),
    "switch_setting": SettingForm(
        operation=OPERATIONS["change_setting"],
        done=N_("Saved"),
        part="agent",
        hides=frozenset(("retention_days",)),
        inverse=_program_setting_before,
        before="settings",
    ),
    "retention": SettingForm(
        operation=OPERATIONS["change_setting"],
        done=N_("Saved"),
        part="data",
        hides=frozenset(("page_keys", "weekly_look")),
        fields={
            "retention_days": {
                "title": N_("Days to keep"),
                "description": N_("Events and how to undo what was done; 0 keeps them all."),
                "minimum": 0,
            }
        },
        needs=("retention_days",),
        inverse=_program_setting_before,
        before="settings",
    ),
    "add_schedule": SettingForm(
        operation=OPERATIONS["add_schedule"],
        done=N_("Scheduled"),
        part="schedule",
        submit=N_("Add the schedule"),
        fields={
            "kind": {"enum": ["triage", "brief"], "title": N_("What")},
            "cron": {
                "title": N_("When"),
                "description": N_(
                    "Five fields of cron: minute, hour, day, month, weekday; some are suggested."
                ),
                "x-gaia-source": "times",
                "examples": ["0 7 * * *"],
            },
            "zone": {"x-gaia-source": "zones", "title": N_("Time zone")},
            "name": {"title": N_("Name")},
        },
        hides=frozenset(("overlap",)),
        needs=("name",),
        inverse=_back("remove_schedule", "name"),
    ),
    "remove_schedule": SettingForm(
        operation=OPERATIONS["remove_schedule"],
        done=N_("Schedule removed"),
        part="schedule",
        inverse=_schedule_before,
        before="schedules",
    ),
    "use_model": SettingForm(
        operation=OPERATIONS["use_model"],
        done=N_("It will be asked from now on"),
        part="models",
        inverse=lambda asked, before: None if before["chosen"]["T2"] else ("models_off", {}),
        before="models",
    ),
    "models_off": SettingForm(
        operation=OPERATIONS["models_off"], done=N_("No model will be asked"), part="models"
    ),
    "trust_model": SettingForm(
        operation=OPERATIONS["trust_model"],
        done=N_("It may read mail"),
        part="models",
        inverse=_back("distrust_model", "name"),
    ),
    "distrust_model": SettingForm(
        operation=OPERATIONS["distrust_model"],
        done=N_("It is no longer trusted"),
        part="models",
        inverse=_back("trust_model", "name"),
    ),
}
"""Forms by the name posted as `setting`."""
