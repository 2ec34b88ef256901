"""Runs the steps of an interop program: a line each, "ok" or "FAIL", and a last line that sums up."""

from __future__ import annotations

import asyncio
import time
import traceback
from typing import Any, Awaitable, Callable


def expect(condition: Any, text: str) -> None:
    if not condition:
        raise AssertionError(text)


class Steps:
    def __init__(self, wanted: list[str]) -> None:
        self._wanted = wanted
        self._failed: list[str] = []
        self._count = 0

    async def run(self, name: str, body: Callable[[], Awaitable[Any]], seconds: float = 60) -> None:
        """Runs a step, unless others were asked for; what it returns is printed behind its name."""
        if self._wanted and not any(text in name for text in self._wanted):
            return
        self._count += 1
        began = time.monotonic()
        try:
            result = await asyncio.wait_for(body(), seconds)
        except Exception as error:
            self._failed.append(name)
            print(f"FAIL {name}: {type(error).__name__} {error}", flush=True)
            if not isinstance(error, AssertionError):
                traceback.print_exc(limit=-4)
        else:
            shown = f": {result}" if result else ""
            print(f"ok   {name} ({time.monotonic() - began:.1f} s){shown}", flush=True)

    def finish(self, what: str) -> int:
        """Prints the sum; the program's exit status."""
        if self._failed:
            print(f"{len(self._failed)} of {self._count} steps failed: {', '.join(self._failed)}", flush=True)
            return 1
        print(f"{self._count} steps with {what}", flush=True)
        return 0 if self._count else 1
