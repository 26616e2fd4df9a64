"""Drawers of charts: plotly figures for pages, and pictures and data that leave them."""
