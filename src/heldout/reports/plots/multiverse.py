"""Colours of series in figures by matplotlib."""

from __future__ import annotations

PALETTE = ("#2558c4", "#b4430c", "#0f766e", "#7c3aed", "#8a6d00", "#9d174d", "#3f6212", "#475569", "#0369a1", "#a21caf")
