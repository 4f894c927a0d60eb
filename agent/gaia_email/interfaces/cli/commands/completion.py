"""`gaia email completion`: the line that enables completion in a shell."""

from __future__ import annotations

import sys

import click


@click.command(name="completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the completion script for SHELL.

    bash: eval "$(gaia email completion bash)" in ~/.bashrc; zsh: the same in ~/.zshrc; fish: gaia email
    completion fish > ~/.config/fish/completions/gaia.fish
    """
    from click.shell_completion import get_completion_class

    from gaia_email.interfaces.cli.app import gaia

    completion_class = get_completion_class(shell)
    assert completion_class is not None, shell
    sys.stdout.write(completion_class(gaia, {}, "gaia", "_GAIA_COMPLETE").source() + "\n")
