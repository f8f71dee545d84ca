"""Plots of a report: drawn with matplotlib, inlined in a page or written as files.

Needs the extra `report`. Nothing here touches matplotlib's global state beyond
the call that draws.
"""

from pytok.eval.plots.catalogue import Plot, metric_names, plots_of, system_names
from pytok.eval.plots.output import svg_of, write_plots

__all__ = ["Plot", "metric_names", "plots_of", "svg_of", "system_names", "write_plots"]
