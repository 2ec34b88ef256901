"""libwebrtc to itself (PyPI reactor-webrtc 0.24.2): from creation until a data channel is open at both ends.

    libwebrtc_connect.py [times]      prints {"open_ms": [...]}

The counterpart of `benchmarks connect`: both ends in this process, no media, the association's handshake in the
descriptions, candidates handed over as they come.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time

import reactor_webrtc as rtc

WARM_UP = 10


class End:
    """One connection; its callbacks come on libwebrtc's threads and are handed to the event loop."""

    def __init__(self, factory: rtc.PeerConnectionFactory) -> None:
        self.loop = asyncio.get_running_loop()
        self.is_open = asyncio.Event()
        self.candidates: asyncio.Queue = asyncio.Queue()
        observer = rtc.PeerConnectionObserver()
        observer.on_ice_candidate = lambda candidate: self.loop.call_soon_threadsafe(
            self.candidates.put_nowait, candidate)
        observer.on_data_channel = self.adopt
        self.observer = observer
        configuration = rtc.RtcConfiguration(sctp_snap=True, bundle_policy=rtc.BundlePolicy.MaxBundle)
        self.connection = factory.create_peer_connection(configuration, observer)

    def adopt(self, channel: rtc.DataChannel) -> None:
        self.channel = channel
        channel.on_state_change(self.look)
        self.look(channel.state())

    def look(self, state: rtc.DataChannelState) -> None:
        if state == rtc.DataChannelState.Open:
            self.loop.call_soon_threadsafe(self.is_open.set)

    def close(self) -> None:
        """The bindings close a connection once nobody holds it: the callbacks held this object, and it the callbacks."""
        self.observer.on_ice_candidate = self.observer.on_data_channel = lambda *_: None
        self.channel.on_state_change(lambda _: None)
        del self.observer, self.channel, self.connection

    async def feed(self, other: End) -> None:
        while True:
            candidate = await self.candidates.get()
            await other.connection.add_ice_candidate(candidate)


async def connect(factory: rtc.PeerConnectionFactory) -> float:
    start = time.monotonic()
    offerer, answerer = End(factory), End(factory)
    offerer.adopt(offerer.connection.create_data_channel("bench"))
    offer = await offerer.connection.create_offer()
    await offerer.connection.set_local_description(offer)
    await answerer.connection.set_remote_description(rtc.SessionDescription("offer", offer.sdp))
    feeders = [asyncio.create_task(offerer.feed(answerer))]
    answer = await answerer.connection.create_answer()
    await answerer.connection.set_local_description(answer)
    await offerer.connection.set_remote_description(rtc.SessionDescription("answer", answer.sdp))
    feeders.append(asyncio.create_task(answerer.feed(offerer)))
    async with asyncio.timeout(10):
        await offerer.is_open.wait()
        await answerer.is_open.wait()
    taken = (time.monotonic() - start) * 1000
    for feeder in feeders:
        feeder.cancel()
    for end in (offerer, answerer):
        end.close()
    return taken


async def main() -> None:
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    factory = rtc.PeerConnectionFactory.builder().build()
    taken = [await connect(factory) for _ in range(WARM_UP + times)]
    print(json.dumps({"open_ms": taken[WARM_UP:]}))


asyncio.run(main())
