"""Regular markup, which is read without a parser, comes out as with one."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gaia_email.prepare.html import read
from gaia_email.prepare.html.model import HtmlText
from gaia_email.prepare.html.plans import MAX_STEPS, WITHOUT_SHEET
from gaia_email.prepare.html.regular import read_regular

SHEETS = [
    "",
    "<style>.x{display:none}p{color:#fff}</style>",
    '<style type="text/css">.y{font-size:0} @media (max-width:600px){.x{display:block}}</style>',
    "<style>tbody{display:none}</style>",
    "<style>td > p{display:none}</style>",
    "<style>p:first-child{display:none}</style>",
    "<style>*{color:white}</style>",
]
TEXTS = """
some words|Read more &rarr;|AT&T &amp; R&D|&copy; 2026|&lt;b&gt;|a > b|  padded  |&nbsp;|&#8217;|&#x2014;
&notit;|&amp|two lines|tab	here|&zwnj;&nbsp;|会议|On 1 May 2026 at 10:00, Ann wrote:|From: Ann|é|&#1;|&unknown;
&ltx|a &lt|a < b|</ b>
"""
TAGS = """
<br>|<br/>|<img src="https://t.example/1.gif" width="1" height="1">
<img src="http://c.example/?a=1&amp;b=2" alt="a cat">|<img src='https://c.example/1.png' alt="→">|<hr>
<hr id="stopSpelling">|<!-- a comment of more than five words -->|<wbr>|<!-- <p>markup</p> -->
<!--[if mso]><table><tr><td>for Outlook only, these words here</td></tr></table><![endif]-->
<img title="one two three four five six seven eight nine" src="https://c.example/2.png">|<meta charset="utf-8">
<p>|</div>|<img data-x="http://d.example/" src="http://e.example/">
<img src="http://s.example/spacer.gif?x" style="display:none">
"""
BLOCKS = """
div|div style="display:none"|div class="x"|p|p class="y"|p style="font-size:0"|h2|span|span style="color:#fff"|b
i|font color="white"|a href="https://a.example/?x=1&amp;y=2"|a class="x" href="http://b.example/&copy=1"
a href="mailto:ann@example.com"|a name="top"
a href="https://a.example/" title="one two three four five six seven eight"|blockquote|blockquote type="cite"|ul
ol|li|table|tr|td|div class="gmail_quote"|div class="gmail_signature"|table bgcolor="black"
td style="white-space:pre"|tbody|center|u|A HREF="http://c.example/"|td background="http://a.example/x.png"
div style='border-top:solid #E1E1E1 1.0pt'|p hidden|div id="a" id="b"|o:p|strong
span title='a href="http://d.example/" b'|form|pre|div style="color:#fff;background:&quot;x&quot;"
a href='http://e.example/'
"""


def _split(text: str) -> list[str]:
    return text.strip("\n").replace("\n", "|").split("|")


@st.composite
def _elements(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> str:
    tag = draw(st.sampled_from(_split(BLOCKS)))
    content = draw(inner)
    return f"<{tag}>{content}</{tag.split()[0]}>"


@st.composite
def _tables(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> str:
    cells = "".join(f"<td>{cell}</td>" for cell in draw(st.lists(inner, min_size=1, max_size=3)))
    space = draw(st.sampled_from(["", "\n", " "]))
    rows = f"{space}<tr>{space}{cells}{space}</tr>{space}"
    return f"<table>{draw(st.sampled_from([rows, f'<tbody>{rows}</tbody>']))}</table>"


@st.composite
def _lists(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> str:
    items = "".join(f"<li>{item}</li>" for item in draw(st.lists(inner, min_size=1, max_size=3)))
    return f"<ul>{items}</ul>"


leaves = st.sampled_from(["two\nlines", *_split(TEXTS), *_split(TAGS)])
content = st.recursive(
    leaves,
    lambda inner: (
        _elements(inner) | _tables(inner) | _lists(inner) | st.lists(inner, max_size=4).map("".join)
    ),
    max_leaves=12,
)
heads = st.sampled_from(
    [
        "<html><head>{}</head><body>",
        "<!DOCTYPE html>\n<html>\n<head><title>A title &amp; more</title>{}</head>\n<body>\n",
        '<html xmlns="http://www.w3.org/1999/xhtml"><head>{}<meta charset="utf-8"></head><body style="color:#fff">',
        "<html><body>{}",
        "<html>{}",
        "{}",
        "<body>{}",
    ]
)
ends = st.sampled_from(
    ["</body></html>", "\n</body>\n</html>\n", "</body>", "", "</html>", "</body></html>x", "<div"]
)


def _none(html: str) -> None:
    assert isinstance(html, str)


def by_parser(html: str) -> HtmlText:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(read, "read_regular", _none)
        return read.read_html(html)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(heads, st.sampled_from(SHEETS), content, ends)
def test_markup_reads_the_same_with_and_without_a_parser(head: str, sheet: str, inner: str, end: str) -> None:
    html = head.format(sheet) + inner + end
    assert read.read_html(html) == by_parser(html)


ROW = (
    '<tr><td class="c" style="padding:1px">{}'
    '<a class="b" href="https://x.example/{}?a=1&amp;b=2">Read &rarr;</a></td></tr>'
)
NEWSLETTER = (
    "<!DOCTYPE html><html><head><style>.b{color:#fff;background:#00f}</style></head><body>"
    '<div style="display:none">A look ahead</div><table>'
    + "".join(ROW.format(f"<p>Story {at}</p>", at) for at in range(5))
    + '</table><img src="https://t.example/o.gif" width="1" height="1"></body></html>'
)


def test_a_newsletter_needs_no_parser() -> None:
    assert read_regular(NEWSLETTER) is not None
    assert read.read_html(NEWSLETTER) == by_parser(NEWSLETTER)
    assert [link.url for link in read.read_html(NEWSLETTER).links] == [
        f"https://x.example/{at}?a=1&b=2" for at in range(5)
    ]


@pytest.mark.parametrize(
    "html",
    [
        "<p>one<p>two",
        "<table><b>moved</b><tr><td>cell</td></tr></table>",
        "<table>moved<tr><td>cell</td></tr></table>",
        "<p><div>not in a paragraph</div></p>",
        "<b><i>crossed</b></i>",
        "<a href='http://a.example/'><a href='http://b.example/'>inner</a></a>",
        "<div>open",
        '<div title="a > b">quoted</div>',
        '<a href="http://a.example/?a>b">quoted</a>',
        '<a title=\'="http://a.example/" b\' href="#">quoted</a>',
        "<div>" * 70 + "</div>" * 70,
        "<ul>one<li>two<li>three</ul>",
        "<p>text</p><html hidden>",
        "<p>one &copy 2026</p>",
        "<p>one\rtwo</p>",
    ],
)
def test_markup_that_a_parser_would_change_is_left_to_it(html: str) -> None:
    assert read_regular(html) is None


def test_addresses_differ_though_their_tags_are_known() -> None:
    for name in ("one", "two"):
        html = f'<div><a class="k" href="https://{name}.example/">Go</a></div>'
        assert [link.url for link in read.read_html(html).links] == [f"https://{name}.example/"]


def test_tags_in_a_row_keep_their_own_addresses() -> None:
    for name in ("one", "two", "three"):
        html = (
            f'<div>Hello<br><br><a href="https://{name}.example/a"><img src="https://{name}.example/o.gif" width="1"'
            f' height="1"></a><img src="https://{name}.example/p.gif" width="1" height="1"><br>'
            f'<a href="https://{name}.example/b">Go</a></div>'
        )
        found = read.read_html(html)
        assert found == by_parser(html)
        assert [link.url for link in found.links] == [
            f"https://{name}.example/a",
            f"https://{name}.example/b",
        ]
        assert found.trackers == (f"https://{name}.example/o.gif", f"https://{name}.example/p.gif")


@pytest.mark.parametrize(
    "html",
    [
        "<!-- one two three four five --><p>a</p>b<!-- six seven eight nine ten --><p>c</p>",
        '<p>see ="http://a.example/ and ="http://b.example/"</p><p>more</p>',
        '<div><img data-x="http://a.example/" src="http://b.example/"><img src="http://c.example/"></div>text',
        "words<b>more</b>words<!-- one two three four five -->",
    ],
)
def test_comments_and_addresses_stand_where_they_stood(html: str) -> None:
    for _ in range(2):
        assert read_regular(html) is not None
        assert read.read_html(html) == by_parser(html)


def test_many_different_tags_do_not_stay_in_memory() -> None:
    for at in range(3000):
        read.read_html(f'<div class="k{at}">text</div>')
    assert WITHOUT_SHEET.steps <= MAX_STEPS
