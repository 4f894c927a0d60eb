"""The plug-in's object for the core. Entry: `PLUGIN`."""

from __future__ import annotations

from gaia_email.plugins import Plugin

PLUGIN = Plugin(
    name="control",
    package="gaia_email_control",
    tables="gaia_email.ledger.control_store:TABLES",
    http="gaia_email.interfaces.http.control:ControlInterface",
    openapi="gaia_email_control.openapi:describe_paths",
)
