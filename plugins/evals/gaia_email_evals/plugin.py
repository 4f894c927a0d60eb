"""The plug-in's object for the core. Entry: `PLUGIN`."""

from __future__ import annotations

from gaia_email.plugins import Plugin, PluginCommand

PLUGIN = Plugin(
    name="evals",
    package="gaia_email_evals",
    commands=(
        PluginCommand(
            name="eval",
            heading="Tools",
            after="classify",
            place="gaia_email_evals.command:command",
            line="Score the verdicts on labelled messages.",
        ),
    ),
    documents={"eval": "gaia_email_evals.model.scorecard_schema"},
)
