"""Letters that look like other letters, for the skeleton of a name (the idea of UTS #39). Entry: `skeleton`.

The table is ours and small: it covers what is registrable in domain names and turns up in display names, with
facts of shape taken from Unicode's confusables and from codebox/homoglyph (MIT). Loaded when the first non-trivial
name is compared.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

# Each line: what it looks like, then everything that looks like it.
_LOOKS_LIKE = """
a аɑαạ@4áàâäãåāăąａǎᴀꭺ
b ЬьƄḅｂВвʙƅ
c сϲƈçćčċⅽｃСᴄⲥꮯ
d ԁɗḍďđⅾｄꭰᴅ
e еҽẹéèêëēĕėęěｅ3Еεᴇꬲꭼ
f ƒｆϝſքꬵ
g ɡġğģǥｇցԍ9ɢƍᶃꮐ
h һհḥħｈНнʜꮋꮒ
i іıɩιíìîïīĭįịｉ!ⅰІі
j јʝϳｊᴊꭻ
k κкķƙｋКқᴋⲕ
l 1|ⅼӏłĺļľḷｌʟꮮ
m мṃⅿｍМᴍⲙꮇ
n ոñńņňṇｎηпПɴⲛռ
o оοօóòôöõōŏőøọｏ0ОΟσᴏ
p рρṗｐРΡᴘᴩⲣꮲ
q ԛգｑզ
r гŕŗřṛｒʀᴦⲅꭇꭈꮁꭱꮢ
s ѕꜱśŝşšṣｓ5$Ѕƽꮪ
t тţťŧṭｔτТ7ᴛⲧꭲ
u υսúùûüūŭůűųụｕцʋᴜꞟꭎꭒ
v ѵνṿⅴｖᴠꮩ
w ԝωẁẃẅŵẉｗшщɯѡաᴡꮃ
x хҳχⅹｘХⲭ
y уүγýÿŷỵｙУɣʏყᶌỿꭚ
z ʐźżžẓｚ2ᴢꮓ
"""
_SCRIPTS = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "GEORGIAN")
_BEYOND_LATIN = "\u0370"
"""From here on stand letters of other alphabets."""
_SEQUENCES = (("rn", "m"), ("vv", "w"), ("cl", "d"), ("ii", "u"))


@lru_cache(maxsize=1)
def _table() -> dict[int, str]:
    table: dict[int, str] = {}
    for line in _LOOKS_LIKE.split("\n"):
        letter, _, others = line.partition(" ")
        for other in others:
            table.setdefault(ord(other), letter)
    return table


@lru_cache(maxsize=4096)
def skeleton(name: str) -> str:
    """`name` with every letter replaced by the plain Latin one it looks like; equal skeletons look alike.

    `i` and `l` fall together, as do `rn` and `m`, `vv` and `w`, `cl` and `d`.
    """
    plain = unicodedata.normalize("NFKC", name[:253]).lower().translate(_table())
    if not plain.isascii():
        decomposed = unicodedata.normalize("NFD", plain)
        plain = "".join(char for char in decomposed if not unicodedata.combining(char)).translate(_table())
    for pair, single in _SEQUENCES:
        plain = plain.replace(pair, single)
    return plain.replace("i", "l")


def mixes_scripts(name: str) -> bool:
    """Whether Latin letters stand beside those of another alphabet with look-alikes in one word."""
    if name.isascii() or max(name) < _BEYOND_LATIN:
        return False
    for word in name.split():
        scripts = {
            script
            for char in word[:64]
            if char.isalpha()
            for script in _SCRIPTS
            if unicodedata.name(char, "").startswith(script)
        }
        if "LATIN" in scripts and len(scripts) > 1:
            return True
    return False
