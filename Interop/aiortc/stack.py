"""aiortc's side of a connection (PyPI aiortc)."""

from __future__ import annotations

import asyncio
import fractions
import sys
import time
from pathlib import Path
from typing import Any

import av
import numpy as np
from aiortc import MediaStreamTrack, RTCBundlePolicy, RTCConfiguration, RTCPeerConnection, RTCSessionDescription
from aiortc.mediastreams import MediaStreamError
from aiortc.sdp import candidate_from_sdp

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "peers"))

from media import RATE, AudioObserver, VideoObserver, picture, tone  # noqa: E402
from session import THEIR_COLOUR, THEIR_TONE, Wishes  # noqa: E402


class PictureTrack(MediaStreamTrack):
    kind = "video"

    def __init__(self) -> None:
        super().__init__()
        self._began = 0.0
        self._number = 0
        self._drawn = [
            av.VideoFrame.from_ndarray(picture(n, 640, 360, THEIR_COLOUR)[:, :, :3], "bgr24").reformat(
                format="yuv420p") for n in range(32)]

    async def recv(self) -> av.VideoFrame:
        self._began = self._began or time.monotonic()
        await asyncio.sleep(max(0, self._began + self._number / 30 - time.monotonic()))
        frame = self._drawn[self._number % 32]
        frame.pts, frame.time_base = self._number * 3000, fractions.Fraction(1, 90_000)
        self._number += 1
        return frame


class ToneTrack(MediaStreamTrack):
    kind = "audio"

    def __init__(self) -> None:
        super().__init__()
        self._began = 0.0
        self._number = 0

    async def recv(self) -> av.AudioFrame:
        count = RATE // 50
        self._began = self._began or time.monotonic()
        await asyncio.sleep(max(0, self._began + self._number / 50 - time.monotonic()))
        samples = tone(self._number * count, count, THEIR_TONE)
        frame = av.AudioFrame.from_ndarray(samples[np.newaxis, :], "s16", "mono")
        frame.sample_rate = RATE
        frame.pts, frame.time_base = self._number * count, fractions.Fraction(1, RATE)
        self._number += 1
        return frame


class Aiortc:
    """It gathers all candidates before it describes itself, and knows no ICE restart."""

    def __init__(self) -> None:
        self.video = VideoObserver()
        self.audio = AudioObserver()
        self.on_candidate = lambda text, mid, index: None
        self.channels: dict[str, Any] = {}
        self._messages: dict[str, asyncio.Queue] = {}
        self._news = asyncio.Event()
        self._states: list[str] = []
        self._watching: list[asyncio.Task] = []
        self.connection = connection = RTCPeerConnection(RTCConfiguration(iceServers=[], bundlePolicy=RTCBundlePolicy.MAX_BUNDLE))
        connection.on("connectionstatechange", self._state_changed)
        connection.on("track", self._track_came)
        connection.on("datachannel", self.adopt)

    def _state_changed(self) -> None:
        self._states.append(self.connection.connectionState)
        self._news.set()

    # Descriptions

    async def offer(self, wishes: Wishes) -> str:
        for kind, track in (("video", PictureTrack), ("audio", ToneTrack)):
            if getattr(wishes, kind):
                self.connection.addTransceiver(track(), direction="sendonly")
                self.connection.addTransceiver(kind, direction="recvonly")
        for channel in wishes.channels:
            self.open_channel(**channel)
        await self.connection.setLocalDescription(await self.connection.createOffer())
        return self.connection.localDescription.sdp

    async def answer(self, sdp: str, wishes: Wishes) -> str:
        await self.connection.setRemoteDescription(RTCSessionDescription(sdp, "offer"))
        sections = {s.split("\r\na=mid:")[1].split("\r\n")[0]: s for s in sdp.split("\r\nm=")[1:]}
        for transceiver in self.connection.getTransceivers():
            if "a=recvonly" in sections[transceiver.mid]:
                transceiver.sender.replaceTrack(
                    PictureTrack() if transceiver.kind == "video" else ToneTrack())
                transceiver.direction = "sendonly"
        await self.connection.setLocalDescription(await self.connection.createAnswer())
        return self.connection.localDescription.sdp

    async def set_answer(self, sdp: str) -> None:
        await self.connection.setRemoteDescription(RTCSessionDescription(sdp, "answer"))

    async def add_candidate(self, candidate: str, mid: str, index: int) -> None:
        if not candidate:
            await self.connection.addIceCandidate(None)
            return
        parsed = candidate_from_sdp(candidate.removeprefix("candidate:"))
        parsed.sdpMid, parsed.sdpMLineIndex = mid, index
        await self.connection.addIceCandidate(parsed)

    # State

    async def _until(self, condition, seconds: float, what: str) -> None:
        try:
            async with asyncio.timeout(seconds):
                while not condition():
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise AssertionError(f"{what} not within {seconds} s; states {self._states}") from None

    async def connected(self, seconds: float = 15) -> None:
        await self._until(lambda: "connected" in self._states, seconds, "connected")

    async def gone(self, seconds: float = 15) -> None:
        def is_gone() -> bool:
            ended = self._states and self._states[-1] in ("closed", "failed")
            closed = self.channels and all(c.readyState == "closed" for c in self.channels.values())
            return bool(ended or closed)

        await self._until(is_gone, seconds, "the peer's end")

    # Channels

    def open_channel(self, label: str, stream: int | None = None, retransmits: int | None = None,
                     lifetime: int | None = None, ordered: bool = True, protocol: str = "") -> None:
        options: dict[str, Any] = {"ordered": ordered, "protocol": protocol}
        if stream is not None:
            options |= {"negotiated": True, "id": stream}
        if retransmits is not None:
            options["maxRetransmits"] = retransmits
        if lifetime is not None:
            options["maxPacketLifeTime"] = lifetime
        self.adopt(self.connection.createDataChannel(label, **options))

    def adopt(self, channel: Any) -> None:
        self.channels[channel.label] = channel
        queue = self._messages.setdefault(channel.label, asyncio.Queue())
        channel.on("message", queue.put_nowait)
        for event in ("open", "close"):
            channel.on(event, self._news.set)
        self._news.set()

    async def channel_open(self, label: str, seconds: float = 15) -> None:
        await self._until(lambda: self._channel_is(label, "open"), seconds, f"{label} open")

    async def channel_closed(self, label: str, seconds: float = 15) -> None:
        await self._until(lambda: self._channel_is(label, "closed"), seconds, f"{label} closed")

    def _channel_is(self, label: str, state: str) -> bool:
        return label in self.channels and self.channels[label].readyState == state

    def send(self, label: str, data: bytes | str) -> None:
        self.channels[label].send(data)

    async def message(self, label: str, seconds: float) -> bytes | str:
        try:
            return await asyncio.wait_for(self._messages[label].get(), seconds)
        except TimeoutError:
            raise AssertionError(f"no message on {label} within {seconds} s") from None

    def close_channel(self, label: str) -> None:
        self.channels[label].close()

    # Media

    def _track_came(self, track: MediaStreamTrack) -> None:
        self._watching.append(asyncio.ensure_future(self._watch(track)))

    async def _watch(self, track: MediaStreamTrack) -> None:
        while True:
            try:
                frame = await track.recv()
            except MediaStreamError:
                return
            if track.kind == "video":
                pixels = frame.to_ndarray(format="rgb24")
                height, width = pixels.shape[:2]
                middle = pixels[height // 2 - 4 : height // 2 + 5, width // 2 - 4 : width // 2 + 5]
                self.video.see([int(part) for part in middle.reshape(-1, 3).mean(axis=0)], width, height, None)
            else:
                samples = frame.to_ndarray().reshape(-1)
                self.audio.hear(samples[:: len(frame.layout.channels)], frame.sample_rate)

    def start_media(self, metadata: bool = False) -> None:
        """Its tracks are asked for frames from the start."""

    async def close(self) -> None:
        await self.connection.close()
        for task in self._watching:
            task.cancel()
