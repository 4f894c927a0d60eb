"""`gaia email vip`: the people whose mail matters most."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import HelpfulGroup, field_list, output_options, pass_app
from gaia_email.interfaces.cli.output import chosen_format


@click.group(name="vip", cls=HelpfulGroup)
def command() -> None:
    """Your VIPs: their mail is in the cohort vip, unless it is forged."""


@command.command(name="add")
@click.argument("address", metavar="ADDRESS")
@click.option("--yes", is_flag=True, help="Save without asking, where it lets the agent do more by itself.")
@output_options
@pass_app
def add(app: App, address: str, yes: bool, as_json: bool, as_jsonl: bool, fields: str) -> None:
    """Name ADDRESS a VIP."""
    from gaia_email.documents.policy_change import ChangedSetting
    from gaia_email.interfaces.cli.changing import change_policy
    from gaia_email.interfaces.cli.person import need_person

    need_person(app)
    change_policy(
        app,
        lambda policy: policy.with_vip(address),
        lambda old, new: ChangedSetting(what="vip_added", name=address, after="VIP"),
        yes=yes,
        form=chosen_format(as_json, as_jsonl, fields),
        fields=field_list(fields),
    )


@command.command(name="remove")
@click.argument("address", metavar="ADDRESS")
@click.option("--yes", is_flag=True, help="Save without asking, where it lets the agent do more by itself.")
@output_options
@pass_app
def remove(app: App, address: str, yes: bool, as_json: bool, as_jsonl: bool, fields: str) -> None:
    """Take ADDRESS off the list; whom you usually answer counts as a VIP all the same."""
    from gaia_email.documents.policy_change import ChangedSetting
    from gaia_email.interfaces.cli.changing import change_policy

    change_policy(
        app,
        lambda policy: policy.without_vip(address),
        lambda old, new: ChangedSetting(what="vip_removed", name=address, before="VIP"),
        yes=yes,
        form=chosen_format(as_json, as_jsonl, fields),
        fields=field_list(fields),
    )


@command.command(name="list")
@output_options
@pass_app
def list_vips(app: App, as_json: bool, as_jsonl: bool, fields: str) -> None:
    """The VIPs you named."""
    from gaia_email.interfaces.cli.policy_printing import print_entries
    from gaia_email.services.policy_changes import read_policy

    vips = list(read_policy(app)[0].policy.vips)
    rows: list[dict[str, object]] = [{"address": vip} for vip in vips]
    print_entries({"vips": vips}, rows, chosen_format(as_json, as_jsonl, fields), field_list(fields))
