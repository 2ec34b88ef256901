"""A headless Chromium, spoken to by its DevTools protocol over a pipe; the standard library is enough.

A page reports by calling `tell(text)`; what it says is a JSON object that `Page.heard` yields.
"""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import shutil
import tempfile
from contextlib import asynccontextmanager

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = (
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--autoplay-policy=no-user-gesture-required",
    "--mute-audio",
    "--password-store=basic",
)


class BrowserError(Exception):
    """The browser, or code in its page, reported an error."""


def program() -> str | None:
    """The browser's path; None when there is none."""
    return next((path for name in PROGRAMS if (path := shutil.which(name))), None)


class Page:
    """One page of the browser, as a target of its own."""

    def __init__(self, browser: Browser, target: str, session: str) -> None:
        self._browser, self._target, self._session = browser, target, session
        self.heard: asyncio.Queue[dict] = asyncio.Queue()
        self.console: list[str] = []

    async def command(self, method: str, **parameters: object) -> dict:
        return await self._browser.command(method, self._session, **parameters)

    async def call(self, function: str, *arguments: object) -> object:
        """Calls a function of the page and waits for what it, or its promise, returns."""
        expression = f"{function}({', '.join(json.dumps(argument) for argument in arguments)})"
        reply = await self.command(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        if details := reply.get("exceptionDetails"):
            thrown = details.get("exception", {})
            raise BrowserError(f"{function}: {thrown.get('description') or thrown.get('value') or details['text']}")
        return reply["result"].get("value")

    async def close(self) -> None:
        await self._browser.command("Target.closeTarget", None, targetId=self._target)

    def handle(self, method: str, parameters: dict) -> None:
        if method == "Runtime.bindingCalled" and parameters["name"] == "tell":
            self.heard.put_nowait(json.loads(parameters["payload"]))
        elif method == "Runtime.consoleAPICalled":
            self.console.append(" ".join(str(a.get("value", a.get("description"))) for a in parameters["args"]))
        elif method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.console.append(str(details.get("exception", {}).get("description") or details["text"]))


class Browser:
    """The process and its pipe."""

    def __init__(self, process: asyncio.subprocess.Process, write: int) -> None:
        self.process = process
        self._write = write
        self._number = 0
        self._replies: dict[int, asyncio.Future] = {}
        self._pages: dict[str, Page] = {}

    async def command(self, method: str, session: str | None = None, **parameters: object) -> dict:
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        reply = self._replies[self._number] = asyncio.get_running_loop().create_future()
        os.write(self._write, json.dumps(message).encode() + b"\0")
        return await asyncio.wait_for(reply, 30)

    async def version(self) -> str:
        return (await self.command("Browser.getVersion"))["product"]

    async def open(self, url: str) -> Page:
        """Opens a page and waits until it has loaded."""
        target = (await self.command("Target.createTarget", url="about:blank"))["targetId"]
        session = (await self.command("Target.attachToTarget", targetId=target, flatten=True))["sessionId"]
        page = self._pages[session] = Page(self, target, session)
        await page.command("Runtime.enable")
        await page.command("Runtime.addBinding", name="tell")
        await page.command("Page.navigate", url=url)
        while (await page.command("Runtime.evaluate", expression="self.isReady"))["result"].get("value") is not True:
            await asyncio.sleep(0.02)
        return page

    async def listen(self, reader: asyncio.StreamReader) -> None:
        """Takes what the browser says until its pipe ends."""
        try:
            while True:
                message = json.loads((await reader.readuntil(b"\0"))[:-1])
                if reply := self._replies.pop(message.get("id", 0), None):
                    if reply.done():
                        continue
                    if error := message.get("error"):
                        reply.set_exception(BrowserError(error["message"]))
                    else:
                        reply.set_result(message["result"])
                elif page := self._pages.get(message.get("sessionId", "")):
                    page.handle(message["method"], message["params"])
        except (asyncio.IncompleteReadError, ConnectionError):
            for reply in self._replies.values():
                if not reply.done():
                    reply.set_exception(BrowserError("the browser has ended"))


@asynccontextmanager
async def browser(*options: str):
    """Runs a browser with a profile of its own, and ends it with all that it started."""
    path = program()
    if path is None:
        raise BrowserError("there is no Chromium")
    profile = tempfile.mkdtemp(prefix="reactor-chromium-")
    ours_in, theirs_out = os.pipe()
    theirs_in, ours_out = os.pipe()
    # Out of the way of 3 and 4, where the browser expects them.
    high = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, 64) for descriptor in (theirs_in, theirs_out)]

    def arrange() -> None:
        os.dup2(high[0], 3)
        os.dup2(high[1], 4)

    sandbox = ("--no-sandbox",) if os.geteuid() == 0 else ()
    log = open(os.path.join(profile, "log"), "wb")
    process = await asyncio.create_subprocess_exec(
        path, *OPTIONS, *sandbox, f"--user-data-dir={profile}", *options, "about:blank",
        stdin=asyncio.subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=arrange,
        pass_fds=(3, 4), start_new_session=True, env={**os.environ, "HOME": profile},
    )  # fmt: skip
    for descriptor in (theirs_in, theirs_out, *high):
        os.close(descriptor)
    reader = asyncio.StreamReader(limit=1 << 26)
    loop = asyncio.get_running_loop()
    pipe, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(ours_in, "rb"))
    made = Browser(process, ours_out)
    listening = asyncio.create_task(made.listen(reader))
    try:
        yield made
    finally:
        try:
            await asyncio.wait_for(made.command("Browser.close"), 5)
            await asyncio.wait_for(process.wait(), 5)
        except (BrowserError, OSError, asyncio.TimeoutError):
            pass
        if process.returncode is None:
            os.killpg(process.pid, 9)
            await process.wait()
        listening.cancel()
        pipe.close()
        os.close(ours_out)
        log.close()
        shutil.rmtree(profile, ignore_errors=True)
