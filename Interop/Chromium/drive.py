"""Tries our connection with Chromium's, in both roles.

    drive.py PROGRAM [STEP...]      PROGRAM: the path of interop-peer; STEP: run those whose names contain it

Prints one line a step, "ok" or "FAIL". Exits 1 if a step failed.
"""

from __future__ import annotations

import asyncio
import functools
import http.server
import sys
import threading
from pathlib import Path

here = Path(__file__).resolve().parent
sys.path.insert(0, str(here.parent / "peers"))

import data_cases  # noqa: E402, F401  (its cases enter the table, and so do these)
import media_cases  # noqa: E402, F401
from browser import browser  # noqa: E402
from case import CASES  # noqa: E402
from our_peer import Program  # noqa: E402
from steps import Steps  # noqa: E402

# Host addresses of a page that has no camera are names of `.local` unless this is switched off.
PLAIN_ADDRESSES = "--disable-features=WebRtcHideLocalIpsWithMdns"


class Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def serve() -> str:
    """Serves this folder on loopback, which browsers trust as they do HTTPS."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=str(here)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/page.html"


async def main() -> int:
    program = await Program.start(sys.argv[1])
    steps = Steps(sys.argv[2:])
    url = serve()
    for hides_addresses in (False, True):
        async with browser(*([] if hides_addresses else [PLAIN_ADDRESSES])) as running:
            for case in CASES:
                if case.hides_addresses == hides_addresses:
                    await steps.run(case.name, lambda case=case: case.run(running, program, url))
            version = await running.version()
    await program.quit()
    return steps.finish(version)


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
