"""The plug-in's object for the core. Entry: `PLUGIN`."""

from __future__ import annotations

from gaia_email.plugins import Plugin, PluginCommand

PLUGIN = Plugin(
    name="automations",
    package="gaia_email_automations",
    operations=(
        "gaia_email_automations.operations",
        "gaia_email_automations.draft_operations",
        "gaia_email_automations.file_operations",
        "gaia_email_automations.slack_operations",
    ),
    commands=(
        PluginCommand(
            name="automations",
            heading="Tools",
            after="models",
            place="gaia_email_automations.interfaces.command:command",
            line="Automate work by saved definitions, and see what their runs did.",
        ),
    ),
    documents={
        "automations": "gaia_email_automations.documents.AutomationList",
        "automation": "gaia_email_automations.documents.AutomationProgram",
        "automation-check": "gaia_email_automations.documents.CheckedAutomation",
        "automation-runs": "gaia_email_automations.documents.AutomationRunList",
        "automation-run": "gaia_email_automations.documents.AutomationRunAccount",
        "automation-test": "gaia_email_automations.documents.AutomationTrial",
        "automation-token": "gaia_email_automations.documents.WebhookToken",
        "automation-removed": "gaia_email_automations.documents.RemovedAutomation",
        "automation-actions": "gaia_email_automations.documents.AutomationActionList",
        "automation-draft": "gaia_email_automations.draft_documents.DescribedDraft",
        "automation-drafts": "gaia_email_automations.draft_documents.DraftList",
        "automation-starters": "gaia_email_automations.draft_documents.StarterList",
        "automation-export": "gaia_email_automations.draft_documents.ExportedAutomation",
        "automation-diff": "gaia_email_automations.draft_documents.AutomationDifference",
        "automation-files": "gaia_email_automations.artifacts.ArtifactList",
        "automation-file-link": "gaia_email_automations.artifacts.ArtifactLink",
    },
    run_kinds="gaia_email_automations.run_kinds:RUN_KINDS",
    activities="gaia_email_automations.activities:ACTIVITIES",
    channels="gaia_email_automations.activities:CHANNELS",
    tables="gaia_email_automations.store:TABLES",
    http="gaia_email_automations.interfaces.http:AutomationsHttp",
    openapi="gaia_email_automations.interfaces.http:describe_paths",
    upkeep="gaia_email_automations.upkeep:clean_up",
    purge_files="gaia_email_automations.upkeep:purge_files",
    worker="gaia_email_automations.hosting:looking_at",
    integrations="gaia_email_automations.slack_operations:slack_integrations",
    pages="gaia_email_automations.interfaces.web.part:PAGES",
    keys="gaia_email_automations.interfaces.web.part:KEYS",
    chat="gaia_email_automations.interfaces.chat:CHAT",
    mcp_tools="gaia_email_automations.interfaces.mcp_tools:add_automation_tools",
)
