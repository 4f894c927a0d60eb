"""The plug-in's object for the core. Entry: `PLUGIN`."""

from __future__ import annotations

from gaia_email.plugins import Plugin, PluginCommand

PLUGIN = Plugin(
    name="control",
    package="gaia_email_control",
    operations=("gaia_email_control.operations",),
    commands=(
        PluginCommand(
            name="control",
            heading="Tools",
            after="automations",
            place="gaia_email_control.cli:command",
            line="Grant other programs' agents access, and see what they said and asked for.",
        ),
    ),
    documents={
        "control-agents": "gaia_email_control.documents.AgentList",
        "control-grant": "gaia_email_control.documents.GivenGrant",
        "control-revoke": "gaia_email_control.documents.RevokedGrant",
        "control-conversations": "gaia_email_control.documents.ConversationList",
        "control-flights": "gaia_email_control.documents.FlightList",
        "control-tail": "gaia_email_control.documents.EventList",
    },
    schemas={"control-protocol": "gaia_email_control.schemas:control_schema"},
    on_answers="gaia_email_control.service:settle_questions",
    tables="gaia_email_control.store:TABLES",
    http="gaia_email_control.http:ControlInterface",
    openapi="gaia_email_control.openapi:describe_paths",
)
