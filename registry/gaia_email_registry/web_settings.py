"""Settings of the servers for providers with a web API: Gmail and Microsoft Graph. Entry: `WEB_SETTINGS`."""

from __future__ import annotations

from gaia_email_registry.setting_model import Setting

WEB_SETTINGS: tuple[Setting, ...] = (
    Setting(
        env="GMAIL_OAUTH_PATH",
        kind="path",
        group="gmail",
        default="~/.gmail-mcp/gcp-oauth.keys.json",
        help="The OAuth client file that Google's console gives out.",
    ),
    Setting(
        env="GMAIL_CREDENTIALS_PATH",
        kind="path",
        group="gmail",
        default="~/.gmail-mcp/credentials.json",
        help="Where the login is kept; other accounts are beside it, in credentials.<account>.json.",
    ),
    Setting(
        env="GAIA_GMAIL_SCOPES",
        kind="names",
        group="gmail",
        default="what the login allows; modify,settings before there is one",
        help="What may be done, comma-separated: readonly, modify, settings (filters), full (delete for good), "
        "calendar-readonly, calendar, push. "
        "Tools that need more are not offered.",
    ),
    Setting(
        env="GAIA_GMAIL_API_ROOT",
        kind="text",
        group="gmail",
        default="https://gmail.googleapis.com",
        help="The Gmail API elsewhere: a private gateway, or a test.",
    ),
    Setting(
        env="GAIA_GOOGLE_OAUTH_ROOT",
        kind="text",
        group="gmail",
        default="https://accounts.google.com and https://oauth2.googleapis.com",
        help="Google's login elsewhere.",
    ),
    Setting(
        env="GAIA_CALENDAR_API_ROOT",
        kind="text",
        group="gmail",
        default="https://www.googleapis.com",
        help="The Google Calendar API elsewhere.",
    ),
    Setting(
        env="GAIA_PUBSUB_TOPIC",
        kind="text",
        group="gmail",
        default="none; mail is looked for now and then",
        help="The Pub/Sub topic that Gmail pushes news to, as projects/NAME/topics/NAME; watch_mailbox begins it.",
    ),
    Setting(
        env="GAIA_PUBSUB_SUBSCRIPTION",
        kind="text",
        group="gmail",
        default="none",
        help="A subscription of that topic to fetch news from; the login needs the scope push.",
    ),
    Setting(
        env="GAIA_PUBSUB_AUDIENCE",
        kind="text",
        group="gmail",
        default="none",
        help="Instead of fetching, take pushes at /push/gmail of --http: the audience that their tokens are for.",
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
        help="Pub/Sub elsewhere.",
    ),
    Setting(
        env="GAIA_GOOGLE_CERTS_URL",
        kind="text",
        group="gmail",
        default="https://www.googleapis.com/oauth2/v3/certs",
        help="Where the keys are that pushes are signed with.",
    ),
    Setting(
        env="GAIA_GRAPH_CLIENT_ID",
        kind="text",
        group="graph",
        default="none; docs/graph.md says how to get one",
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
        help="What to ask for when signing in: mail, send, calendar, settings. Tools that need more are not offered.",
    ),
    Setting(
        env="GAIA_GRAPH_CLOUD",
        kind="choice",
        group="graph",
        default="global",
        help="Which of Microsoft's clouds the account is in; the Chinese one cannot be served.",
        choices=("global", "us", "china"),
    ),
    Setting(
        env="GAIA_GRAPH_NOTIFICATION_URL",
        kind="text",
        group="graph",
        default="none: news is asked for every half minute",
        help="The public https address of /push/graph on this server: Microsoft pushes news there (docs/push.md).",
    ),
    Setting(
        env="GAIA_GRAPH_API_ROOT",
        kind="text",
        group="graph",
        default="the cloud's",
        help="The Graph API elsewhere, with its version: a private gateway, or a test.",
    ),
)
