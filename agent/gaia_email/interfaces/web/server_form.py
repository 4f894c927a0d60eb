"""The form that adds an MCP server. Entry: `server_form`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gaia_email.app.languages.speaking import N_
from gaia_email.app.operations.table import OPERATIONS
from gaia_email.interfaces.web.forms.form import PostedValue, WebForm, form_of
from gaia_email.interfaces.web.forms.shapes import Schema
from gaia_email.interfaces.web.setting_forms import SettingForm

ADD_SERVER = SettingForm(
    operation=OPERATIONS["add_server"],
    done=N_("Added; look at its tools"),
    part="",
    submit=N_("Add and look at its tools"),
    fields={
        "name": {
            "title": N_("Name"),
            "description": N_("Letters, digits, dots, dashes and underscores."),
            "examples": [N_("weather")],
        },
        "command": {
            "title": N_("Command that starts it"),
            "description": N_("With its arguments, as in a shell; no shell runs."),
            "x-gaia-widget": "text",
            "examples": [N_("npx -y weather-mcp")],
        },
        "url": {
            "title": N_("Or its address, where it runs already"),
            "description": "",
            "format": "uri",
            "x-gaia-widget": "text",
            "examples": [N_("https://example.org/mcp")],
        },
        "env": {
            "title": N_("Variables for it"),
            "description": N_("With a command. None of them secret: they stand in mcp_servers.json."),
        },
        "secrets": {
            "title": N_("Secrets for it"),
            "description": N_(
                "With a command: the variable, such as WEATHER_API_KEY, and its value. Values go into the vault of "
                "this machine and are not shown again, so type them last."
            ),
            "additionalProperties": {
                "type": "string",
                "format": "password",
                "minLength": 1,
                "maxLength": 8_000,
            },
        },
        "token": {
            "title": N_("Bearer token"),
            "description": N_("With an address; it goes into the vault of this machine."),
            "format": "password",
            "x-gaia-widget": "text",
        },
    },
)
"""Form for the operation's input."""

SCHEMA: Schema = ADD_SERVER.schema


def server_form(value: dict[str, Any] | None = None, sent: PostedValue | None = None) -> WebForm:
    """Return the form, empty or as posted with its errors; secrets are never shown again."""
    form = form_of(SCHEMA, value, name="add_server", post="add-server", submit=ADD_SERVER.submit, posted=sent)
    return form if sent else replace(form, focus="/name")
