"""Settings of the servers for providers with a web API: Gmail and Microsoft Graph. Entry: `WEB_SETTINGS`."""

from __future__ import annotations

from gaia_email_registry.setting_model import Setting

WEB_SETTINGS: tuple[Setting, ...] = (
    Setting(
        env="GMAIL_OAUTH_PATH",
        kind="path",
        group="gmail",
        default="~/.gmail-mcp/gcp-oauth.keys.json",
        help="The OAuth client file from Google's console.",
    ),
    Setting(
        env="GMAIL_CREDENTIALS_PATH",
        kind="path",
        group="gmail",
        default="~/.gmail-mcp/credentials.json",
        help="File with the login; other accounts are in the same directory, in credentials.<account>.json.",
    ),
    Setting(
        env="GAIA_GMAIL_SCOPES",
        kind="names",
        group="gmail",
        default="what the login allows; modify,settings before the first login",
        help="Permissions to use, comma-separated: readonly, modify, settings (filters), full (delete for good), "
        "calendar-readonly, calendar, push. "
        "Tools that need more are not offered.",
    ),
    Setting(
        env="GAIA_GMAIL_API_ROOT",
        kind="text",
        group="gmail",
        default="https://gmail.googleapis.com",
        help="Another address of the Gmail API: a private gateway, or a test.",
    ),
    Setting(
        env="GAIA_GOOGLE_OAUTH_ROOT",
        kind="text",
        group="gmail",
        default="https://accounts.google.com and https://oauth2.googleapis.com",
        help="Another address of Google's login.",
    ),
    Setting(
        env="GAIA_CALENDAR_API_ROOT",
        kind="text",
        group="gmail",
        default="https://www.googleapis.com",
        help="Another address of the Google Calendar API.",
    ),
    Setting(
        env="GAIA_PUBSUB_TOPIC",
        kind="text",
        group="gmail",
        default="none; the mailbox is checked at intervals",
        help="The Pub/Sub topic for Gmail's notifications, as projects/NAME/topics/NAME; watch_mailbox starts them.",
    ),
    Setting(
        env="GAIA_PUBSUB_SUBSCRIPTION",
        kind="text",
        group="gmail",
        default="none",
        help="A subscription to that topic to fetch notifications from; the login needs the scope push.",
    ),
    Setting(
        env="GAIA_PUBSUB_AUDIENCE",
        kind="text",
        group="gmail",
        default="none",
        help="Instead of fetching, accept pushes at /push/gmail of --http: the audience of their tokens.",
    ),
    Setting(
        env="GAIA_PUBSUB_SERVICE_ACCOUNT",
        kind="text",
        group="gmail",
        default="none",
        help="The service account that signs the pushes.",
    ),
    Setting(
        env="GAIA_PUBSUB_ROOT",
        kind="text",
        group="gmail",
        default="https://pubsub.googleapis.com",
        help="Another address of Pub/Sub.",
    ),
    Setting(
        env="GAIA_GOOGLE_CERTS_URL",
        kind="text",
        group="gmail",
        default="https://www.googleapis.com/oauth2/v3/certs",
        help="URL of the keys that verify pushes.",
    ),
    Setting(
        env="GAIA_GRAPH_CLIENT_ID",
        kind="text",
        group="graph",
        default="none; docs/graph.md explains how to get one",
        help="The application (client) id that you registered at Microsoft for signing in.",
    ),
    Setting(
        env="GAIA_GRAPH_TENANT",
        kind="text",
        group="graph",
        default="common: personal accounts and those of organisations",
        help="Who may sign in: consumers, organizations, common, or the id or domain of one organisation.",
    ),
    Setting(
        env="GAIA_GRAPH_SCOPES",
        kind="names",
        group="graph",
        default="mail,send",
        help="Permissions to request at sign-in: mail, send, calendar, settings. Tools that need more are not offered.",
    ),
    Setting(
        env="GAIA_GRAPH_CLOUD",
        kind="choice",
        group="graph",
        default="global",
        help="Microsoft cloud of the account; the Chinese one is not supported.",
        choices=("global", "us", "china"),
    ),
    Setting(
        env="GAIA_GRAPH_NOTIFICATION_URL",
        kind="text",
        group="graph",
        default="none: the mailbox is checked every half minute",
        help="The public https address of /push/graph on this server, for Microsoft's notifications (docs/push.md).",
    ),
    Setting(
        env="GAIA_GRAPH_API_ROOT",
        kind="text",
        group="graph",
        default="the cloud's",
        help="Another address of the Graph API, with its version: a private gateway, or a test.",
    ),
)
