"""JSON files that hold their own key and digest, so that an edited or exchanged one is not taken for results.

The first line has both; the digest is of the key and of every byte after that line.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from heldout.errors import ResultsError

_AGAIN = "run the study again: what it kept is not computed anew"


def digest_of_bytes(*parts: bytes) -> str:
    """sha256 of bytes, cut to 32 hex digits, which tell of any change."""
    state = hashlib.sha256()
    for part in parts:
        state.update(b"%d;" % len(part))
        state.update(part)
    return state.hexdigest()[:32]


def sealed(text: str, key: str) -> str:
    """The text of a JSON object, which is not empty, with its key and digest in a first line."""
    rest = text[1:].lstrip() + ("" if text.endswith("\n") else "\n")
    digest = digest_of_bytes(key.encode(), rest.encode(errors="surrogatepass"))
    return f'{{"key": {json.dumps(key)}, "digest": "{digest}",\n{rest}'


def read_sealed(path: Path, hint: str = _AGAIN) -> tuple[dict[str, Any], str]:
    """The object of a file without its seal, and its key.

    Raises ResultsError if a byte differs from what was written, FileNotFoundError if there is no such file.
    """
    return opened(_content(path, hint), path, hint)


def opened(content: bytes, path: Path, hint: str = _AGAIN) -> tuple[dict[str, Any], str]:
    """`read_sealed` of what was read from a file."""
    payload = json_object(content, path, hint)
    key, digest = payload.pop("key", None), payload.pop("digest", None)
    if not isinstance(key, str) or digest != digest_of_bytes(
        key.encode(errors="surrogatepass"), content.partition(b"\n")[2]
    ):
        raise ResultsError("was changed after it was written (its digest is another)", where=str(path), hint=hint)
    return payload, key


def json_object(content: bytes, path: Path, hint: str) -> dict[str, Any]:
    """The object that a file holds; ResultsError if it holds none."""
    try:
        value = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ResultsError(f"is damaged ({error})", where=str(path), hint=hint) from None
    if not isinstance(value, dict):
        raise ResultsError("is damaged (it holds no object)", where=str(path), hint=hint)
    return value


def _content(path: Path, hint: str) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise
    except OSError as error:
        raise ResultsError(f"cannot be read ({error.strerror})", where=str(path), hint=hint) from None


def other_version(path: Path, error: Exception) -> ResultsError:
    """The error for a file that is intact but has another form than this version writes."""
    return ResultsError(f"is of another version of Heldout ({error!r})", where=str(path), hint=_AGAIN)


def parts_key(manifest: Mapping[str, Any]) -> str:
    """The key of a file made from all parts of a run: a digest of the list of parts."""
    return digest_of_bytes(json.dumps(manifest.get("parts"), sort_keys=True).encode())
