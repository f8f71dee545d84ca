"""Say what is missing when Python finds the source folder and not the package.

A clone of the repository holds a folder `pytok` without the compiled core, and
Python started in it imports that folder before an installed package.
"""

from pathlib import Path

try:
    import pytok._pytok  # noqa: F401
except ModuleNotFoundError as error:
    if error.name != "pytok._pytok":
        raise
    raise ImportError(
        f"pytok: {Path(__file__).parent} is the source, without the compiled core; run Python "
        "in another folder or with -P to import the installed package, or `maturin develop` "
        "here to build the core",
        name=error.name,
        path=__file__,
    ) from None
