"""One page and one connection of ours, with the signalling between them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

from browser import Browser, Page
from our_peer import Connection, Program
from steps import expect

Said = dict[str, Any]


class Trickle:
    """Candidates on their way to one side; neither side takes any before it has a description."""

    def __init__(self, give: Callable[[Said], Awaitable]) -> None:
        self._give = give
        self._held: list[Said] | None = []

    async def put(self, candidate: Said) -> None:
        if self._held is None:
            await self._give(candidate)
        else:
            self._held.append(candidate)

    async def release(self) -> None:
        held, self._held = self._held or [], None
        for candidate in held:
            await self._give(candidate)


class Meeting:
    """Passes descriptions and candidates, and keeps what the page tells."""

    def __init__(self, page: Page, ours: Connection) -> None:
        self.page, self.ours = page, ours
        self.told: list[Said] = []
        self._news = asyncio.Event()
        self._to_page = Trickle(
            lambda said: page.call("addCandidate", said.get("candidate", ""), said.get("mid"), said.get("index"))
        )
        self._to_ours = Trickle(lambda said: ours.call("candidate", candidate=said["candidate"]))
        self._outgoing: asyncio.Queue[Said] = asyncio.Queue()
        ours.on_event = self._outgoing.put_nowait
        self._tasks = [asyncio.create_task(self._hear_page()), asyncio.create_task(self._hear_ours())]

    async def _hear_page(self) -> None:
        while True:
            said = await self.page.heard.get()
            self.told.append(said)
            self._news.set()
            if said["type"] == "candidate":
                await self._to_ours.put(said)

    async def _hear_ours(self) -> None:
        while True:
            said = await self._outgoing.get()
            if said["event"] in ("candidate", "endOfCandidates"):
                await self._to_page.put(said)

    # ------------------------------------------------------------ descriptions

    async def page_offers(self, **options: Any) -> tuple[str, str]:
        """An offer of the page, answered by us; `options` are those of our `answer`."""
        offer = await self.page.call("offer")
        answer = (await self.ours.call("answer", sdp=offer, **options))["sdp"]
        await self._to_ours.release()
        await self.page.call("setAnswer", answer)
        await self._to_page.release()
        return offer, answer

    async def we_offer(self, offer: str, prepare: Callable[[], Awaitable] | None = None) -> str:
        """Our offer, answered by the page once `prepare` has made its sections ready."""
        await self.page.call("setOffer", offer)
        await self._to_page.release()
        if prepare:
            await prepare()
        answer = await self.page.call("answer")
        await self.ours.call("setAnswer", sdp=answer)
        await self._to_ours.release()
        return answer

    # ------------------------------------------------------------ what comes

    async def page_tells(self, kind: str, seconds: float = 20, **members: Any) -> Said:
        """The first thing of that kind, with these members, that the page tells."""
        try:
            async with asyncio.timeout(seconds):
                while True:
                    self._news.clear()
                    for said in self.told:
                        if said["type"] == kind and all(said.get(k) == v for k, v in members.items()):
                            return said
                    await self._news.wait()
        except TimeoutError:
            raise AssertionError(f"the page tells no {kind} {members}, but {self.told[-6:]}") from None

    async def connected(self) -> None:
        await self.page_tells("state", state="connected")
        await self.ours.wait("state", state="connected")

    async def eventually(
        self, look: Callable[[], Awaitable], test: Callable[[Any], object], what: str, seconds: float = 20
    ) -> Any:
        """Looks again and again until `test` likes what it sees."""
        deadline = asyncio.get_running_loop().time() + seconds
        while not test(seen := await look()):
            expect(asyncio.get_running_loop().time() < deadline, f"{what}: {seen}")
            await asyncio.sleep(0.1)
        return seen

    async def end(self) -> None:
        for task in self._tasks:
            task.cancel()
        with contextlib.suppress(Exception):
            await self.ours.close()
        with contextlib.suppress(Exception):
            await self.page.close()


@contextlib.asynccontextmanager
async def meeting(browser: Browser, program: Program, url: str, **configuration: Any):
    page = await browser.open(url)
    await page.call("start")
    # Loopback is left out, as browsers leave it out.
    made = Meeting(page, await program.create(loopback=False, **configuration))
    try:
        yield made
    except Exception as error:
        if page.console:
            raise AssertionError(f"{error}; the page's console: {page.console[-5:]}") from error
        raise
    finally:
        await made.end()
