"""The type of CPU and the libraries that decide the last bits of a number."""

from __future__ import annotations

from importlib.metadata import version

LIBRARIES = ("numpy", "scipy", "numba", "llvmlite", "polars")


def machine() -> dict[str, str]:
    """CPU type and versions under which golden numbers are compared exactly."""
    from llvmlite import binding

    features = sorted(name for name, present in binding.get_host_cpu_features().items() if present)
    return {
        "cpu": binding.get_host_cpu_name(),
        "features": " ".join(features),
        **{name: version(name) for name in LIBRARIES},
    }
