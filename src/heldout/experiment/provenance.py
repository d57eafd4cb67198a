"""Where numbers come from: versions of what computed them, and the machine."""

from __future__ import annotations

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import Any

PACKAGES = ("heldout", "numpy", "scipy", "numba", "polars", "narwhals")


def versions() -> dict[str, str]:
    """Versions of Python and of the packages that results depend on."""
    installed = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            installed[package] = version(package)
        except PackageNotFoundError:
            installed[package] = "not installed"
    return installed


def machine() -> dict[str, Any]:
    """What the results were computed on."""
    return {"system": f"{platform.system()} {platform.machine()}", "cores": os.cpu_count(), "byte_order": sys.byteorder}
