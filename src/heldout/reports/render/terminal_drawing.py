"""Bars of characters."""

_BLOCKS = "▏▎▍▌▋▊▉"


def bar(share: float, width: int = 40) -> str:
    """A bar of a share of the width, to an eighth of a character."""
    eighths = round(width * 8 * share)
    return "█" * (eighths // 8) + (_BLOCKS[eighths % 8 - 1] if eighths % 8 else "")
