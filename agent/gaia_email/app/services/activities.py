"""Work that is done beside the database of runs, and channels to which is posted. Entries: `all_activities`."""

from __future__ import annotations

from gaia_email.automations.activities import ACTIVITIES, CHANNELS
from gaia_email.plugins import load_parts
from gaia_email.runs.activities import PluginActivities, PluginChannels


def all_activities() -> list[PluginActivities]:
    """Return the runs of automations and of every plug-in that records its own."""
    return [ACTIVITIES, *load_parts("activities")]


def all_channels() -> list[PluginChannels]:
    """Return the channels of automations and of every plug-in that posts."""
    return [CHANNELS, *load_parts("channels")]
