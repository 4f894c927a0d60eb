"""CSS colours as numbers, to find text painted in the colour of its background. Entry: `parse_color`.

Facts from CSS Color Module Level 4: https://www.w3.org/TR/css-color-4/
"""

from __future__ import annotations

from functools import lru_cache

from gaia_mail.lazy import lazy_pattern

Color = tuple[int, int, int, float]
"""Red, green and blue from 0 to 255, and opacity from 0 to 1."""

WHITE: Color = (255, 255, 255, 1.0)
BLACK: Color = (0, 0, 0, 1.0)

NEAR = 20
"""The difference up to which two colours cannot be told apart at text size, in every channel.

The faintest grey that newsletters use for print meant to be read (#ddd on white) differs by 34.
"""

FAINT = 0.1
"""The opacity at or below which text cannot be read."""

NAMES = """
aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4
black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue 5f9ea0
chartreuse 7fff00 chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff
darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9
darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc darkred 8b0000
darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f
darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969
dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc
ghostwhite f8f8ff gold ffd700 goldenrod daa520 gray 808080 green 008000 greenyellow adff2f grey 808080
honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa
lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080 lightcyan e0ffff
lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1
lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899
lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000
mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371
mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585
midnightblue 191970 mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080
oldlace fdf5e6 olive 808000 olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa
palegreen 98fb98 paleturquoise afeeee palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f
pink ffc0cb plum dda0dd powderblue b0e0e6 purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f
royalblue 4169e1 saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee
sienna a0522d silver c0c0c0 skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa
springgreen 00ff7f steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0
violet ee82ee wheat f5deb3 white ffffff whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32
canvas ffffff canvastext 000000 window ffffff windowtext 000000
"""

_FUNCTION = lazy_pattern(r"(rgba?|hsla?)\(([^()]{0,80})\)")
_HEX = lazy_pattern(r"#?([0-9a-f]{3,8})\Z")
_TURNS = {"deg": 360.0, "grad": 400.0, "rad": 6.283185307179586, "turn": 1.0}


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    words = NAMES.split()
    return dict(zip(words[::2], words[1::2], strict=True))


@lru_cache(maxsize=2048)
def parse_color(value: str) -> Color | None:
    """Return the colour of a lower-case CSS or HTML value; None if it is unknown (variables, gradients).

    `transparent` is a colour with opacity 0. Legacy attribute values may leave out the `#`.
    """
    value = value.strip()
    if value in {"transparent", "rgba(0,0,0,0)"}:
        return (0, 0, 0, 0.0)
    digits = _names().get(value)
    if digits is None:
        match = _HEX.match(value)
        digits = match.group(1) if match else None
    if digits is not None:
        return _from_hex(digits)
    function = _FUNCTION.match(value)
    if function is None:
        return None
    try:
        return _from_function(function.group(1), function.group(2))
    except ValueError:
        return None


def _from_hex(digits: str) -> Color | None:
    if len(digits) in {3, 4}:
        digits = "".join(digit * 2 for digit in digits)
    if len(digits) not in {6, 8}:
        return None
    red, green, blue = int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)
    return (red, green, blue, int(digits[6:8], 16) / 255 if len(digits) == 8 else 1.0)


def _from_function(name: str, inside: str) -> Color | None:
    parts = inside.replace(",", " ").replace("/", " ").split()
    if len(parts) not in {3, 4}:
        return None
    alpha = _fraction(parts[3], 1.0) if len(parts) == 4 else 1.0
    if name.startswith("rgb"):
        red, green, blue = (_channel(part) for part in parts[:3])
        return (red, green, blue, alpha)
    red, green, blue = _hsl(_hue(parts[0]), _fraction(parts[1], 100.0), _fraction(parts[2], 100.0))
    return (red, green, blue, alpha)


def _channel(part: str) -> int:
    number = float(part[:-1]) * 2.55 if part.endswith("%") else float(part)
    return round(min(max(number, 0.0), 255.0))


def _fraction(part: str, scale: float) -> float:
    number = float(part[:-1]) / 100 if part.endswith("%") else float(part) / scale
    return min(max(number, 0.0), 1.0)


def _hue(part: str) -> float:
    for unit, turn in _TURNS.items():
        if part.endswith(unit):
            return float(part[: -len(unit)]) / turn % 1.0
    return float(part) / 360 % 1.0


def _hsl(hue: float, saturation: float, lightness: float) -> tuple[int, int, int]:
    spread = saturation * min(lightness, 1 - lightness)

    def channel(offset: int) -> int:
        position = (offset + hue * 12) % 12
        return round(255 * (lightness - spread * max(-1.0, min(position - 3, 9 - position, 1.0))))

    return channel(0), channel(8), channel(4)


def over(top: Color, ground: Color) -> Color:
    """Return the visible colour of `top` painted on an opaque `ground`."""
    alpha = top[3]
    if alpha >= 1:
        return top
    red, green, blue = (round(top[i] * alpha + ground[i] * (1 - alpha)) for i in range(3))
    return (red, green, blue, 1.0)


def alike(one: Color, other: Color) -> bool:
    """Return True if text of one colour cannot be read on the other."""
    return (
        abs(one[0] - other[0]) <= NEAR and abs(one[1] - other[1]) <= NEAR and abs(one[2] - other[2]) <= NEAR
    )
