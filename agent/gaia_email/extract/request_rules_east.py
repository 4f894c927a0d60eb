"""What asking looks like in Japanese and Chinese, as far as a few words tell; read with `request_rules_intl`."""

from __future__ import annotations

from gaia_email.extract.request_rule import Rule

JAPANESE: tuple[Rule, ...] = (
    Rule(
        kind="courtesy",
        strength=0.2,
        hints=("よろしく", "宜しく"),
        source=r" (?:(?:どうぞ|何卒)?(?:よろしく|宜しく)お願い)",
    ),
    Rule(
        kind="directive",
        strength=0.85,
        hints=("ください", "下さい", "お願い", "いただけ", "頂け"),
        source=r" (?:.{0,200}(?:ください|下さい|お願い|いただけ|頂け))",
    ),
    Rule(
        kind="question",
        strength=0.7,
        hints=("か。", "か？", "？", "?"),
        source=r" (?:.{0,200}(?:か。|か？|？|\?))",
    ),
)

CHINESE: tuple[Rule, ...] = (
    Rule(
        kind="directive",
        strength=0.8,
        hints=(
            "请",
            "請",
            "麻烦",
            "麻煩",
            "能否",
            "能不能",
            "可否",
            "发我",
            "回复",
            "回覆",
            "回个",
            "确认一下",
        ),
        source=r" (?:.{0,200}(?:请|請(?!假)|麻烦|麻煩|能否|能不能|可否|发我|回复|回覆|回个|确认一下))",
    ),
    Rule(
        kind="question", strength=0.7, hints=("吗", "嗎", "？", "?"), source=r" (?:.{0,200}(?:吗|嗎|？|\?))"
    ),
)
