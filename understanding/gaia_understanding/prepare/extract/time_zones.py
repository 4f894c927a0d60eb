"""Abbreviations of time zones, as data. Used by `clock`."""

from __future__ import annotations

ZONES: dict[str, int] = {
    "utc": 0,
    "gmt": 0,
    "z": 0,
    "wet": 0,
    "bst": 60,
    "west": 60,
    "cet": 60,
    "mez": 60,
    "cest": 120,
    "mesz": 120,
    "eet": 120,
    "eest": 180,
    "msk": 180,
    "ist": 330,
    "sgt": 480,
    "jst": 540,
    "aest": 600,
    "aedt": 660,
    "est": -300,
    "edt": -240,
    "cst": -360,
    "cdt": -300,
    "mst": -420,
    "mdt": -360,
    "pst": -480,
    "pdt": -420,
}
"""Minutes east of UTC. `et`, `ct` and `pt` are left out: they do not say summer or winter time."""
