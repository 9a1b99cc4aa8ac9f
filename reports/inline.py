"""Charts inside a page: SVG whose colours follow the page and whose text takes the page's font."""

from __future__ import annotations

import re
from html import escape

from markupsafe import Markup
from matplotlib.figure import Figure

from reports import style

_COLOUR = re.compile(r"#[0-9a-f]{6}\b")
_NAMES = re.compile(r'\bid="|"#|url\(#')
_TAG = re.compile(r"<[^>]*>")
_VIEW = re.compile(r'viewBox="([^"]*)"')
_LEFT_OUT = re.compile(r"<metadata>.*?</metadata>|<defs>\s*<style[^>]*>.*?</style>\s*</defs>", re.DOTALL)
_WITHIN = {light: f"var(--{role}, {light})" for role, (light, _) in style.ROLES.items()}


def inline(figure: Figure, name: str, alt: str) -> Markup:
    """A figure as an element of a page.

    Parameters
    ----------
    figure : Figure
    name : str
        What sets the names within this picture apart from those of the page's other pictures.
    alt : str
        What it says to those who cannot see it.
    """
    text = style.render(figure, "svg", transparent=True).decode()
    root = next(tag for tag in _TAG.finditer(text) if tag[0].startswith("<svg"))
    view = _VIEW.search(root[0])
    assert view is not None
    body = _LEFT_OUT.sub("", text[root.end() :])
    body = _TAG.sub(lambda tag: _fitted(tag[0], name), body)
    opening = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" role="img" '
        f'aria-label="{escape(alt, quote=True)}" viewBox="{view[1]}" style="width: {figure.get_figwidth():g}in">'
    )
    return Markup(opening + re.sub(r">\s+<", "><", body).strip())


def _fitted(tag: str, name: str) -> str:
    """A tag with names and colours of this page; what stands between tags is text and stays as it is."""
    tag = _NAMES.sub(lambda found: f"{found[0]}{name}-", tag)
    return _COLOUR.sub(lambda found: _WITHIN.get(found[0], found[0]), tag).replace("\n", " ")
