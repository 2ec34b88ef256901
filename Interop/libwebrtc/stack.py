"""libwebrtc's side of a connection, by its Python bindings (PyPI reactor-webrtc 0.24.2)."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import reactor_webrtc as rtc

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "peers"))

from media import RATE, AudioObserver, VideoObserver, picture, tone  # noqa: E402
from session import THEIR_COLOUR, THEIR_TONE, Wishes  # noqa: E402

CODECS = {"vp8": rtc.VideoCodec.Vp8, "vp9": rtc.VideoCodec.Vp9}
KINDS = {"video": rtc.MediaKind.Video, "audio": rtc.MediaKind.Audio}
SEND, RECEIVE = rtc.TransceiverDirection.SendOnly, rtc.TransceiverDirection.RecvOnly


def make_factory() -> rtc.PeerConnectionFactory:
    """There can be one in a program; its connections may leave chunking out (`dc_chunking=False`)."""
    builder = rtc.PeerConnectionFactory.builder()
    builder.with_dc_chunking()
    return builder.build()


class Libwebrtc:
    """Its callbacks come on libwebrtc's threads; all else happens on the event loop."""

    def __init__(self, factory: rtc.PeerConnectionFactory, **options: Any) -> None:
        self.video = VideoObserver()
        self.audio = AudioObserver()
        self.on_candidate = lambda text, mid, index: None
        self.channels: dict[str, rtc.DataChannel] = {}
        self._messages: dict[str, asyncio.Queue] = {}
        self._news = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._states: list[str] = []
        self._factory = factory
        self._tracks: dict[str, rtc.Track] = {}
        self._remote: list[rtc.Track] = []
        self._sources: list[threading.Thread] = []
        self._stop = threading.Event()
        self.size = (640, 360)
        observer = rtc.PeerConnectionObserver()
        observer.on_connection_state_change = lambda state: self._later(self._states.append, str(state))
        observer.on_ice_candidate = lambda c: self.on_candidate(
            c.candidate, c.sdp_mid or "0", c.sdp_mline_index or 0)
        observer.on_track = self._track_came
        observer.on_data_channel = lambda channel: self._adopt(channel)
        self._observer = observer
        options = {"sctp_snap": True, "bundle_policy": rtc.BundlePolicy.MaxBundle} | options
        self.connection = factory.create_peer_connection(rtc.RtcConfiguration(**options), observer)

    def _later(self, body, *arguments) -> None:
        def run() -> None:
            body(*arguments)
            self._news.set()

        self._loop.call_soon_threadsafe(run)

    # Descriptions

    async def offer(self, wishes: Wishes) -> str:
        for kind in ("video", "audio"):
            if getattr(wishes, kind):
                sender = self.connection.add_transceiver(KINDS[kind], SEND)
                receiver = self.connection.add_transceiver(KINDS[kind], RECEIVE)
                await sender.set_track(self._make_track(kind))
                if kind == "video":
                    await sender.set_codec_preferences([CODECS[wishes.codec]])
                    await receiver.set_codec_preferences([CODECS[wishes.codec]])
        for channel in wishes.channels:
            self._adopt(self.connection.create_data_channel(channel["label"]))
        return await self._describe(await self.connection.create_offer())

    async def answer(self, sdp: str, wishes: Wishes) -> str:
        await self.connection.set_remote_description(rtc.SessionDescription("offer", sdp))
        wanted = {s.split("\r\na=mid:")[1].split("\r\n")[0]: s for s in sdp.split("\r\nm=")[1:]}
        for transceiver in await self.connection.transceivers():
            section = wanted.get(transceiver.mid() or "", "")
            kind = "video" if transceiver.kind() == rtc.MediaKind.Video else "audio"
            if "a=recvonly" in section and kind not in self._tracks:
                await transceiver.set_track(self._make_track(kind))
                await transceiver.set_direction(SEND)
        return await self._describe(await self.connection.create_answer())

    async def _describe(self, description: rtc.SessionDescription) -> str:
        await self.connection.set_local_description(description)
        return description.sdp

    async def set_answer(self, sdp: str) -> None:
        await self.connection.set_remote_description(rtc.SessionDescription("answer", sdp))

    async def add_candidate(self, candidate: str, mid: str, index: int) -> None:
        await self.connection.add_ice_candidate(rtc.IceCandidate(candidate, mid, index))

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
        await self._until(lambda: any("Connected" in s for s in self._states), seconds, "connected")

    async def gone(self, seconds: float = 15) -> None:
        """The connection's or every channel's end, which is how libwebrtc tells of a peer that closed."""

        def is_gone() -> bool:
            ended = self._states and self._states[-1].rsplit(".")[-1] in ("Closed", "Failed", "Disconnected")
            closed = self.channels and all(
                c.state() == rtc.DataChannelState.Closed for c in self.channels.values())
            return bool(ended or closed)

        await self._until(is_gone, seconds, "the peer's end")

    # Channels

    def _adopt(self, channel: rtc.DataChannel) -> None:
        label = channel.label()
        self.channels[label] = channel
        queue = self._messages.setdefault(label, asyncio.Queue())
        channel.on_message(
            lambda data, binary: self._later(queue.put_nowait, data if binary else data.decode()))
        channel.on_state_change(lambda state: self._later(lambda: None))
        self._later(lambda: None)

    async def channel_open(self, label: str, seconds: float = 15) -> None:
        await self._until(lambda: self._channel_is(label, rtc.DataChannelState.Open), seconds, f"{label} open")

    async def channel_closed(self, label: str, seconds: float = 15) -> None:
        await self._until(
            lambda: self._channel_is(label, rtc.DataChannelState.Closed), seconds, f"{label} closed")

    def _channel_is(self, label: str, state: rtc.DataChannelState) -> bool:
        return label in self.channels and self.channels[label].state() == state

    def send(self, label: str, data: bytes | str) -> None:
        if isinstance(data, str):
            self.channels[label].send(data.encode(), binary=False)
        else:
            self.channels[label].send(data)

    async def message(self, label: str, seconds: float) -> bytes | str:
        try:
            return await asyncio.wait_for(self._messages[label].get(), seconds)
        except TimeoutError:
            raise AssertionError(f"no message on {label} within {seconds} s") from None

    def close_channel(self, label: str) -> None:
        self.channels[label].close()

    # Media

    def _make_track(self, kind: str) -> rtc.Track:
        if kind == "video":
            track = self._factory.create_video_track("video")
        else:
            track = self._factory.create_audio_track_with_local_source("audio")
        self._tracks[kind] = track
        return track

    def _track_came(self, kind: rtc.MediaKind, track: rtc.Track) -> None:
        self._remote.append(track)
        if kind == rtc.MediaKind.Video:
            track.on_video_frame(self._saw)
        else:
            track.on_audio_frame(self._heard)

    def _saw(self, pixels: bytes, width: int, height: int, metadata: rtc.FrameMetadata | None) -> None:
        frame = np.frombuffer(pixels, np.uint8).reshape(height, width, 4)
        middle = frame[height // 2 - 4 : height // 2 + 5, width // 2 - 4 : width // 2 + 5, :3]
        colour = [int(part) for part in middle.reshape(-1, 3).mean(axis=0)[::-1]]
        told = (metadata.frame_id, metadata.capture_time_us, metadata.user_data) if metadata else None
        self.video.see(colour, width, height, told)

    def _heard(self, pcm: bytes, rate: int, channels: int, frames: int) -> None:
        self.audio.hear(np.frombuffer(pcm, np.int16)[::channels], rate)

    def start_media(self, metadata: bool = False) -> None:
        for body in (self._push_pictures, self._push_tone):
            thread = threading.Thread(target=body, args=(metadata,), daemon=True)
            self._sources.append(thread)
            thread.start()

    def _push_pictures(self, metadata: bool) -> None:
        if not (track := self._tracks.get("video")):
            return
        width, height = self.size
        # The stripes repeat, so that drawing costs the processor once.
        drawn = [picture(n, width, height, THEIR_COLOUR).tobytes() for n in range(32)]
        began, number = time.monotonic(), 0
        while not self._stop.wait(max(0, began + number / 30 - time.monotonic())):
            options = {}
            if metadata:
                options = {"user_data": f"theirs-{number}".encode(), "capture_time_us": rtc.time_micros()}
            track.push_video_frame(drawn[number % 32], width, height, **options)
            number += 1

    def _push_tone(self, metadata: bool) -> None:
        if not (track := self._tracks.get("audio")):
            return
        began, number, count = time.monotonic(), 0, RATE // 100
        while not self._stop.wait(max(0, began + number / 100 - time.monotonic())):
            track.push_pcm(tone(number * count, count, THEIR_TONE).tobytes(), RATE, 1)
            number += 1

    async def close(self) -> None:
        self._stop.set()
        for thread in self._sources:
            await asyncio.to_thread(thread.join)
        # The bindings close a connection when nothing refers to it any more.
        self._remote.clear()
        self._tracks.clear()
        self.channels.clear()
        self.connection = self._observer = None
