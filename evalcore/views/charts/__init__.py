"""Descriptions of charts as plain numbers and words; `evalcore.charts` draws them."""
