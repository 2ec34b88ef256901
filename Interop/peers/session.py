"""One connection of ours with one of another stack, signalled in this program.

The other side is any object with what `Other` lists; Interop/libwebrtc/stack.py and Interop/aiortc/stack.py
have one each.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any, Callable, Protocol

from media import AudioObserver, VideoObserver, digest, is_colour
from our_peer import Connection, Program
from steps import expect

OUR_COLOUR = (200, 40, 30)
THEIR_COLOUR = (30, 60, 190)
OUR_TONE = 440.0
THEIR_TONE = 800.0


@dataclass
class Wishes:
    """What a connection is to have."""

    offerer: str = "ours"
    video: bool = False
    audio: bool = False
    codec: str = "vp8"
    #: Channels that the offerer opens: ours with options, theirs by label.
    channels: list[dict[str, Any]] = field(default_factory=list)
    ours: dict[str, Any] = field(default_factory=dict)
    theirs: dict[str, Any] = field(default_factory=dict)


class Other(Protocol):
    """What the other stack's side of a connection does."""

    video: VideoObserver
    audio: AudioObserver
    on_candidate: Callable[[str, str, int], None]

    async def offer(self, wishes: Wishes) -> str: ...
    async def answer(self, sdp: str, wishes: Wishes) -> str: ...
    async def set_answer(self, sdp: str) -> None: ...
    async def add_candidate(self, candidate: str, mid: str, index: int) -> None: ...
    async def channel_open(self, label: str, seconds: float = 15) -> None: ...
    async def channel_closed(self, label: str, seconds: float = 15) -> None: ...
    def send(self, label: str, data: bytes | str) -> None: ...
    async def message(self, label: str, seconds: float) -> bytes | str: ...
    def close_channel(self, label: str) -> None: ...
    async def connected(self, seconds: float = 15) -> None: ...
    async def gone(self, seconds: float = 15) -> None: ...
    def start_media(self, metadata: bool = False) -> None: ...
    async def close(self) -> None: ...


class Session:
    def __init__(self, ours: Connection, theirs: Other, wishes: Wishes) -> None:
        self.ours = ours
        self.theirs = theirs
        self.wishes = wishes
        #: Rewrites a candidate on its way, or drops it: (text, whether it is ours) → text or None.
        self.route: Callable[[str, bool], str | None] = lambda text, is_ours: text
        self._early: list[tuple[bool, str, str, int]] | None = []
        self._tasks: set[asyncio.Task] = set()
        loop = asyncio.get_running_loop()
        ours.on_event = self._ours_told
        theirs.on_candidate = lambda *candidate: loop.call_soon_threadsafe(self._pass, False, *candidate)

    # Signalling

    def _ours_told(self, event: dict[str, Any]) -> None:
        if event["event"] == "candidate":
            self._pass(True, event["candidate"], event["mid"], event["index"])
        elif event["event"] == "endOfCandidates":
            self._pass(True, "", "0", 0)

    def _pass(self, is_ours: bool, text: str, mid: str, index: int) -> None:
        if self._early is not None:
            self._early.append((is_ours, text, mid, index))
            return
        if (routed := self.route(text, is_ours) if text else text) is None:
            return
        if is_ours:
            work = self.theirs.add_candidate(routed, mid, index)
        else:
            work = self.ours.call("candidate", candidate=routed)
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _routed(self, sdp: str, is_ours: bool) -> str:
        lines = []
        for line in sdp.splitlines():
            if line.startswith("a=candidate:"):
                routed = self.route(line[2:], is_ours)
                if routed is None:
                    continue
                line = "a=" + routed
            lines.append(line)
        return "\r\n".join(lines) + "\r\n"

    def _descriptions_are_out(self) -> None:
        early, self._early = self._early or [], None
        for candidate in early:
            self._pass(*candidate)

    async def negotiate(self) -> None:
        """Offer and answer, once."""
        wishes = self.wishes
        if wishes.offerer == "ours":
            tracks = []
            for kind in ("video", "audio"):
                if getattr(wishes, kind):
                    tracks.append({"name": f"{kind}-out", "kind": kind, "send": True})
                    tracks.append({"name": f"{kind}-in", "kind": kind, "send": False})
            offer = (await self.ours.call("offer", tracks=tracks, channels=wishes.channels))["sdp"]
            answer = await self.theirs.answer(self._routed(offer, True), wishes)
            await self.ours.call("setAnswer", sdp=self._routed(answer, False))
        else:
            offer = await self.theirs.offer(wishes)
            tracks = tracks_of_offer(offer)
            answer = (await self.ours.call("answer", sdp=self._routed(offer, False), tracks=tracks))["sdp"]
            await self.theirs.set_answer(self._routed(answer, True))
        self._descriptions_are_out()

    async def connect(self) -> float:
        """Negotiates and waits until both sides say connected, and the channels are open. Seconds it took."""
        began = time.monotonic()
        await self.negotiate()
        await self.ours.wait("state", state="connected")
        for channel in self.wishes.channels:
            await self.ours.wait("open", label=channel["label"])
            await self.theirs.channel_open(channel["label"])
        took = time.monotonic() - began
        await self.theirs.connected()
        return took

    # Media

    async def start_media(self, metadata: bool = False, **pictures: Any) -> None:
        if self.wishes.video:
            if metadata:
                pictures |= {"time": True, "data": "ours-"}
            await self.ours.call("pictures", track="video-out", colour=OUR_COLOUR, **pictures)
        if self.wishes.audio:
            await self.ours.call("tone", track="audio-out", hertz=OUR_TONE)
        self.theirs.start_media(metadata)

    async def report(self, reset: bool = False) -> dict[str, Any]:
        return await self.ours.call("report", reset=reset)

    async def check_media(self, seconds: float = 4, frames: int = 40) -> dict[str, Any]:
        """Media of the next seconds: frames, colour and tone, as both sides see and hear them."""
        await asyncio.sleep(2)
        await self.report(reset=True)
        self.theirs.video.reset()
        await asyncio.sleep(seconds)
        ours, theirs, shown = await self.report(), self.theirs, {}
        if self.wishes.video:
            for who, seen, colour in (
                ("received", ours["video"]["video-in"], THEIR_COLOUR),
                ("shown", theirs.video.report(), OUR_COLOUR),
            ):
                expect(seen["frames"] >= frames, f"{who}: {seen} in {seconds} s")
                expect(is_colour(seen["colour"], colour), f"{who}: {seen['colour']} for {colour}")
                shown[who] = f"{seen['width']}x{seen['height']} {seen['fps']:.0f} fps"
        if self.wishes.audio:
            for who, heard, hertz in (
                ("heard", ours["audio"]["audio-in"], THEIR_TONE),
                ("played", theirs.audio.report(), OUR_TONE),
            ):
                expect(abs(heard.get("hertz", 0) - hertz) <= 4, f"{who}: {heard}, not {hertz} Hz")
                expect(heard["purity"] > 10, f"{who}: {heard}")
                shown[who] = f"{heard['hertz']:.0f} Hz, {heard['purity']:.0f} dB"
        return shown

    # Messages

    async def exchange(self, label: str, size: int, seconds: float = 30) -> None:
        """One binary message each way, whole and unchanged."""
        since = len(self.ours.events)
        sent = await self.ours.call("send", label=label, size=size, seed=size + 1)
        got = await self.theirs.message(label, seconds)
        expect(isinstance(got, bytes), "bytes came as text")
        expect(len(got) == size and digest(got) == sent["sha256"], f"{len(got)} bytes of {size} came, or others")
        data = got[::-1]
        self.theirs.send(label, data)
        back = await self.ours.wait("message", seconds, since, label=label)
        expect(back["size"] == size and back["sha256"] == digest(data), f"{back} for {size} bytes")
        expect(not back["isText"], "bytes came as text")

    async def close(self) -> None:
        await self.ours.close()
        await self.theirs.close()


def tracks_of_offer(sdp: str) -> dict[str, dict[str, Any]]:
    """Our tracks for their offer, by mid: what they send comes in, what they receive goes out."""
    tracks: dict[str, dict[str, Any]] = {}
    for section in sdp.split("\r\nm=")[1:]:
        kind = section.split(" ", 1)[0]
        if kind not in ("video", "audio"):
            continue
        lines = section.split("\r\n")
        mid = next(line[6:] for line in lines if line.startswith("a=mid:"))
        send = "a=recvonly" in lines
        tracks[mid] = {"name": f"{kind}-{'out' if send else 'in'}", "kind": kind, "send": send}
    return tracks


async def open_session(program: Program, other: Callable[[], Other], wishes: Wishes) -> Session:
    ours = await program.create(codecs=[wishes.codec], **wishes.ours)
    return Session(ours, other(), wishes)
