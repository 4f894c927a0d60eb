"""Look-alikes of hiding tricks that ordinary mail uses: all of it must stay visible."""

from __future__ import annotations

import pytest

from gaia_understanding.prepare.html.read import read_html

WORDS = "Read the whole story"

LEGITIMATE = {
    "white on a coloured button": '<a href="https://shop.example/" style="color:#fff;background:#1a73e8">{}</a>',
    "white in a cell with bgcolor": '<table><tr><td bgcolor="#003366"><font color="#ffffff">{}'
    "</font></td></tr></table>",
    "white on a background image": '<div style="background-image:url(hero.png)"><p style="color:#fff">{}</p></div>',
    "white on a background shorthand": '<div style="background:#fff url(hero.png)"><p style="color:#fff">{}</p></div>',
    "white on a background attribute": '<table background="hero.png" bgcolor="#ffffff"><tr><td '
    'style="color:#fff">{}</table>',
    "white on a gradient": '<div style="background:linear-gradient(#036,#048);color:white">{}</div>',
    "white in a dark body": '<body bgcolor="#000000" text="#ffffff"><p>{}</p></body>',
    "class rules for a dark box": "<style>.box{{background:#222}}.box p{{color:#eee}}</style>"
    "<div class=box><p>{}</p></div>",
    "dark mode rules": "<style>@media (prefers-color-scheme:dark){{p{{color:#fff}}}}</style><p>{}</p>",
    "phone rules": "<style>@media only screen and (max-width:600px){{p{{display:none!important}}}}</style><p>{}</p>",
    "print rules": "<style>@media print{{p{{display:none}}}}</style><p>{}</p>",
    "pale grey footer": '<p style="color:#cccccc">{}</p>',
    "gradient text": '<p style="color:transparent;background:linear-gradient(red,tan);background-clip:text">{}</p>',
    "size 0 against gaps": '<td style="font-size:0"><span style="font-size:14px">{}</span></td>',
    "line-height 0": '<p style="line-height:0">{}</p>',
    "small print": '<p style="font-size:8px">{}</p>',
    "a negative margin": '<p style="margin-left:-20px">{}</p>',
    "an absolute position": '<div style="position:absolute;left:20px;top:0">{}</div>',
    "relative units": '<div style="font-size:62.5%"><p style="font-size:1.4em">{}</p></div>',
    "height without overflow": '<div style="height:0">{}</div>',
    "overflow without height": '<div style="overflow:hidden;width:100%">{}</div>',
    "max-height in use": '<div style="max-height:200px;overflow:hidden">{}</div>',
    "details": "<details><summary>More</summary>{}</details>",
    "aria-hidden": '<span aria-hidden="true">{}</span>',
    "opacity for a lighter tone": '<p style="opacity:.6">{}</p>',
    "hover rules": "<style>p:hover{{display:none}}</style><p>{}</p>",
    "another class": "<style>.hide{{display:none}}</style><p class=hider>{}</p>",
    "another ancestor": "<style>.a .b{{display:none}}</style><div class=c><p class=b>{}</p></div>",
    "an inline rule that wins": "<style>.x{{display:none}}</style><p class=x style='display:block'>{}</p>",
    "a more specific rule that wins": "<style>p.x{{display:block}}.x{{display:none}}</style><p class=x>{}</p>",
    "a colour variable": '<p style="color:var(--text)">{}</p>',
    "mso-hide": '<p style="mso-hide:all">{}</p>',
    "downlevel-revealed conditional": "<!--[if !mso]><!--><p>{}</p><!--<![endif]-->",
    "broken css": "<style>}}}} p{{color:</style><p style='color'>{}</p>",
    "a transparent ground": '<p style="background-color:transparent;color:#333">{}</p>',
    "hidden until-found": '<div hidden="until-found">{}</div>',
    "white-space pre": '<p style="white-space:pre-wrap">{}</p>',
}


@pytest.mark.parametrize("name", LEGITIMATE)
def test_ordinary_styling_hides_nothing(name: str) -> None:
    result = read_html(LEGITIMATE[name].format(WORDS))
    assert WORDS in result.text
    assert result.hidden == ()


def test_an_image_styled_block_without_border_is_no_tracker() -> None:
    result = read_html(
        '<p>Hi</p><img src="https://cdn.example/a.png" style="display:block;border:none" alt="Boots">'
    )
    assert result.trackers == ()


@pytest.mark.parametrize(
    "image",
    [
        '<img src="https://t.example/o.gif" width="1" height="1">',
        '<img src="https://t.example/o.gif" style="width:1px;height:1px">',
        '<img src="https://t.example/o.gif" width=0 height=0>',
        '<img src="https://t.example/o.gif" style="display:none">',
        '<div hidden><img src="https://t.example/o.gif"></div>',
    ],
)
def test_images_that_cannot_be_seen_are_trackers(image: str) -> None:
    assert read_html(f"<p>Hi</p>{image}").trackers == ("https://t.example/o.gif",)


def test_a_spacer_image_is_no_tracker() -> None:
    assert read_html('<p>Hi</p><img src="https://x.example/spacer.gif" width=1 height=1>').trackers == ()


def test_lists_headings_cells_and_links_stay_readable() -> None:
    result = read_html(
        "<h1>Plan</h1><p>Two things:</p><ul><li>first<li>second<ul><li>inner</ul></ul>"
        "<ol><li>one<li>two</ol><table><tr><th>Item</th><th>Price</th></tr><tr><td>Tea</td><td>3</td></tr></table>"
        '<p>See <a href="https://a.example/x">the\n page</a>.<br>Bye</p>'
    )
    assert result.text == (
        "Plan\n\nTwo things:\n\n- first\n- second\n\n  - inner\n\n1. one\n2. "
        "two\n\nItem\tPrice\nTea\t3\n\nSee the page.\nBye"
    )
    assert [(link.text, link.url) for link in result.links] == [("the page", "https://a.example/x")]


def test_preformatted_text_keeps_its_lines() -> None:
    assert read_html("<pre>a\n  b\n\nc</pre>").text == "a\n  b\n\nc"


def test_the_link_of_an_image_is_named_by_its_description() -> None:
    result = read_html('<a href="https://a.example/"><img src="b.png" alt="Big sale"></a>')
    assert [(link.text, link.url) for link in result.links] == [("Big sale", "https://a.example/")]


def test_mail_of_images_only_says_what_their_descriptions_say() -> None:
    assert "Summer sale starts" in read_html('<img src="a.png" width=600 alt="Summer sale starts">').text


def test_links_that_cannot_be_seen_are_no_links() -> None:
    assert read_html('<div hidden><a href="https://a.example/">x</a></div>').links == ()


def test_schema_org_blocks_are_parsed_and_broken_ones_left_out() -> None:
    result = read_html(
        '<script type="application/ld+json">[{"@type":"Order","orderNumber":"7"}]</script>'
        '<script type="application/ld+json">{"@type":</script>'
        '<script type="application/ld+json">{"a":NaN}</script>'
    )
    assert result.json_ld == ({"@type": "Order", "orderNumber": "7"},)
    assert result.hidden == ()
