"""The plug-in's object for the core. Entry: `PLUGIN`."""

from __future__ import annotations

from gaia_email.plugins import Plugin

PLUGIN = Plugin(name="gaia", package="gaia_email_gaia", contract="gaia_email_gaia.contract:CONTRACT")
