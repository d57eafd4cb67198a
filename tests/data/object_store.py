"""A small object store on this machine: lists and serves the files of a folder as S3 does, or refuses everything."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import parse_qs, urlsplit
from xml.sax.saxutils import escape


@contextmanager
def object_store(folder: Path | None) -> Iterator[dict[str, str]]:
    """What polars is told of the store; the bucket is called `bucket`, and without a folder access is denied."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            key = parts.path.removeprefix("/bucket").strip("/")
            if folder is None:
                self._answer(403, b"<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>")
            elif not key:
                self._answer(200, _listing(folder, parse_qs(parts.query).get("prefix", [""])[0]))
            elif (folder / key).is_file():
                self._file((folder / key).read_bytes())
            else:
                self._answer(404, b"<Error><Code>NoSuchKey</Code></Error>")

        def do_HEAD(self) -> None:
            self.do_GET()

        def _file(self, content: bytes) -> None:
            asked = self.headers.get("Range", "").removeprefix("bytes=")
            if not asked:
                self._answer(200, content)
                return
            first, _, last = asked.partition("-")
            low = int(first) if first else max(0, len(content) - int(last))
            high = min(int(last) + 1, len(content)) if first and last else len(content)
            self._answer(
                206, content[low:high], {"Content-Range": f"bytes {low}-{min(high, len(content)) - 1}/{len(content)}"}
            )

        def _answer(self, status: int, content: bytes, headers: dict[str, str] | None = None) -> None:
            self.send_response(status)
            modified = {"Last-Modified": "Mon, 01 Jan 2024 00:00:00 GMT", "ETag": '"1"'}
            for name, value in {**modified, "Content-Length": str(len(content)), **(headers or {})}.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield {
            "aws_endpoint_url": f"http://127.0.0.1:{server.server_port}",
            "aws_access_key_id": "key",
            "aws_secret_access_key": "secret",
            "aws_region": "us-east-1",
            "aws_allow_http": "true",
        }
    finally:
        server.shutdown()
        server.server_close()


def _listing(folder: Path, prefix: str) -> bytes:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    entries = "".join(
        f"<Contents><Key>{escape(path.relative_to(folder).as_posix())}</Key><Size>{path.stat().st_size}</Size>"
        "<LastModified>2024-01-01T00:00:00.000Z</LastModified><ETag>1</ETag></Contents>"
        for path in files
        if path.relative_to(folder).as_posix().startswith(prefix)
    )
    return f"<ListBucketResult><IsTruncated>false</IsTruncated>{entries}</ListBucketResult>".encode()
