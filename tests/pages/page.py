"""What a page of the documentation tells a reader to type. Entry point: `Page`."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import click

from gaia_email.interfaces.cli.app import gaia

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("README.md", *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md")))

_FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_INLINE = re.compile(r"`([^`]+)`")
_TYPED = re.compile(
    r"(gaia|gaia-\w+-mcp|claude|pip|pipx|uvx|make|python|docker|brew|nix-build|which)(?= ) .+"
)
_NEXT = re.compile(r"^(?:next)? +(gaia email .+)$", re.MULTILINE)


@dataclass(frozen=True)
class Page:
    """A page by its path in the repository."""

    path: str

    @cached_property
    def text(self) -> str:
        return (ROOT / self.path).read_text(encoding="utf-8")

    @cached_property
    def blocks(self) -> list[tuple[str, str]]:
        """Language and content of each fenced block."""
        return [(found[1], found[2]) for found in _FENCED.finditer(self.text)]

    @cached_property
    def lines(self) -> list[str]:
        """The command lines of the blocks without a language or of `sh`, as they are; those of a screen with `$ `."""
        found: list[str] = []
        for language, block in self.blocks:
            if language not in ("", "sh"):
                continue
            screen = block.startswith("$ ")
            joined = re.sub(r"\s*\\\n\s*", " ", block).splitlines()
            typed = (line.removeprefix("$ ") for line in joined if screen == line.startswith("$ "))
            found.extend(line for line in typed if _TYPED.match(line))
        return found

    @cached_property
    def named(self) -> list[str]:
        """The commands within sentences, each once; a program's bare name is no command."""
        prose = _FENCED.sub("", self.text)
        spans = [" ".join(found[1].split()) for found in _INLINE.finditer(prose)]
        return list(dict.fromkeys(span for span in spans if _TYPED.fullmatch(span)))

    @cached_property
    def said(self) -> list[str]:
        """What is typed at the first prompt of a conversation."""
        blocks = [block for _, block in self.blocks if re.search(r"^› ", block, re.MULTILINE)]
        return [line.removeprefix("› ") for line in blocks[0].splitlines() if line.startswith("› ")]

    @cached_property
    def next_steps(self) -> list[str]:
        """What the first screen offers to type next."""
        return [found[1] for found in _NEXT.finditer(self.blocks[0][1])]

    def servers(self) -> list[dict[str, Any]]:
        """The entries of a client's file, in the page's order."""
        documents = [json.loads(block) for language, block in self.blocks if language == "json"]
        tables: list[dict[str, Any]] = [
            table.get("mcpServers") or table.get("servers") or {} for table in documents
        ]
        return [entry for table in tables for entry in table.values()]


def without_comment(line: str) -> str:
    """A line without what only explains it: after `#`, or after the gap that some pages use as columns."""
    return re.split(r"\s+#(?:\s|$)|(?<=\S) {2,}", line)[0].strip()


def parses(words: list[str]) -> None:
    """A command line of ours, from after `gaia`, is understood without being run.

    Raises:
        click.UsageError: It is not.
    """
    context = click.Context(gaia, info_name="gaia")
    command: click.Command = gaia
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        name, *words = words
        found = command.get_command(context, name)
        if found is None:
            raise click.UsageError(f"No such command {name!r}.")
        command = found
    if isinstance(command, click.Group):
        return
    try:
        command.make_context("gaia", words, parent=context)
    except click.BadParameter:
        return  # a word such as ID or N stands where the reader's own goes
    except click.exceptions.Exit:
        return  # --help


def ours(line: str) -> list[str]:
    """The words after `gaia` of a line that starts it, up to a pipe; empty for a line of another program."""
    words = shlex.split(without_comment(line).replace("\\|", "|"))
    if not words or words[0] != "gaia":
        return []
    ends = [words.index(mark) for mark in ("|", ">") if mark in words]
    return words[1 : min(ends, default=len(words))]
