"""A report as one self-contained page that opens without a network.

Needs the extra `report`. The page holds no script and loads nothing; a content
security policy in it forbids both, whatever the measured texts contain.
"""

from pytok.eval.html.page import need_packages, render_html, write_html

__all__ = ["need_packages", "render_html", "write_html"]
