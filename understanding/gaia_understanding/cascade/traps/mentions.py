"""Tell text addressed to a machine from text that only mentions it. Entry: `Mentions`.

Security news, lessons and bug reports quote attacks. A quotation in a text about prompts, bots or attacks, or
the lines of a dialogue that the sender passes on, address nobody who reads the mail.
"""

from __future__ import annotations

from gaia_mail.lazy import lazy_pattern
from gaia_understanding.cascade.phrases import Wordlist, locate

_SPANS = lazy_pattern(
    r"[“„«‹\"「][^“”„«»\"「」\n]{1,400}[”“»›\"」]|`[^`\n]{1,400}`|(?<!\w)'[^'\n]{8,200}'(?!\w)"
)
_TURN = lazy_pattern(r"(?m)^[ \t>*_-]{0,6}([^\W\d_][\w .'-]{0,18}?)[*_]{0,2}: ")
_MACHINE_TURNS = frozenset(
    {"system", "assistant", "user", "human", "admin", "developer", "instruction", "instructions"}
)
_TURNS = 3
_OFTEN = 5
_ABOUT = Wordlist(
    "prompt injection; injection; prompt injections; jailbreak; jailbreaks; jailbreaking; workshop; demo; trick; "
    "attack; attacks; attacker; attackers; "
    "red team; attack string; white text; hidden text; hid sentences; prompt; prompts; system prompt; chatbot; "
    "chatbots; chat bot; bot; bots; the bot; language model; language models; llm; llms; model; models; paper; lesson; "
    "tutorial; course; example; for example; the phrase; the words; the sentence; the string; typed; issue; steps; "
    "paste; pasted; expected; actual; defences; defenses; researchers; research; research team; vulnerability; cve; "
    "exploit; bypass; refusal; temperature; draft prompt; "
    "angriff; angreifer; beispiel; satz; modell; chatbots; lektion; forscher; attaque; pirate; modèle; exemple; "
    "phrase; leçon; ataque; atacante; modelo; ejemplo; frase; lección; attacco; attaccante; modello; esempio; lezione; "
    "exemplo; lição; aanval; aanvaller; voorbeeld; zin; les; 提示词; 攻击; プロンプト; 攻撃"
)


class Mentions:
    """The quotations of one text, whose words are mentioned rather than spoken."""

    def __init__(self, text: str, folded: str) -> None:
        """`folded` is `text` folded, of the same length."""
        self._text, self._folded = text, folded
        spans = [match.span() for match in _SPANS.finditer(text)]
        kept, end = list[str](), 0
        for start, stop in spans:
            kept.append(folded[end:start])
            end = stop
        outside = " | ".join([*kept, folded[end:]])
        self.topical = len(_ABOUT.positions(outside))
        """The words outside quotation marks that are about machines that read, or attacks on them."""
        self._spans = (spans if self.topical else []) + _dialogue(text)

    def find_spoken(self, phrase: str) -> int:
        """Return the first position of the phrase outside quotations; -1 if there is none."""
        position = locate(self._folded, phrase)
        for _ in range(_OFTEN):
            if position < 0 or not any(start <= position < stop for start, stop in self._spans):
                break
            position = locate(self._folded, phrase, position + 1)
        return position

    def begins_line(self, position: int) -> bool:
        """Return True if only marks precede a place in its line."""
        start = self._text.rfind("\n", 0, position) + 1
        return not any(map(str.isalnum, self._text[start:position]))

    def rest_of_line(self, position: int) -> str:
        """Return the rest of a line after a place, folded, without quotations."""
        end = self._text.find("\n", position)
        return self._strip_quotes(position, end if end >= 0 else len(self._text)).strip()

    def says(self, sentence: str) -> bool:
        """Return True if most of a sentence is outside quotations."""
        start = self._text.find(sentence)
        return start < 0 or 2 * len(self.after(start, len(sentence)).strip()) > len(sentence)

    def after(self, position: int, length: int) -> str:
        """Return the text after a place, without quotations."""
        return self._strip_quotes(position, position + length)

    def _strip_quotes(self, start: int, end: int) -> str:
        pieces = list[str]()
        for first, last in sorted(self._spans):
            if first >= end or last <= start:
                continue
            pieces.append(self._folded[start : max(start, first)])
            start = max(start, last)
        return " ".join([*pieces, self._folded[start:end]])


def _dialogue(text: str) -> list[tuple[int, int]]:
    """Return the lines of a dialogue that is passed on; roles of a chat template do not count as speakers."""
    turns = list(_TURN.finditer(text))
    names = [match[1].strip().lower() for match in turns]
    speakers = [name for name in set(names) if names.count(name) > 1 and name not in _MACHINE_TURNS]
    if len(turns) < _TURNS or len(set(names)) < 2 or not speakers or names[0] in _MACHINE_TURNS:
        return []
    found: list[tuple[int, int]] = []
    for match, name in zip(turns, names, strict=True):
        end = text.find("\n", match.end())
        if name not in _MACHINE_TURNS:
            found.append((match.start(), end if end >= 0 else len(text)))
    return found
