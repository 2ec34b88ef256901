"""Pictures and sound that the other stacks send, and what they see and hear of ours."""

from __future__ import annotations

import hashlib
import threading
import time

import numpy as np

RATE = 48_000
#: The largest difference of a colour's part that coding leaves in a flat patch.
TOLERANCE = 14


def picture(number: int, width: int, height: int, colour: tuple[int, int, int]) -> np.ndarray:
    """BGRA: stripes that slide, and in the middle ninth a patch of `colour` (red, green, blue)."""
    columns = (np.arange(width) + 2 * number) % 64 < 32
    row = np.where(columns, 60, 190).astype(np.uint8)
    frame = np.full((height, width, 4), 255, np.uint8)
    frame[:, :, 0], frame[:, :, 1], frame[:, :, 2] = row, 128, 255 - row
    frame[height // 3 : height - height // 3, width // 3 : width - width // 3, :3] = colour[::-1]
    return frame


def tone(first: int, count: int, hertz: float) -> np.ndarray:
    return (np.sin(2 * np.pi * hertz * np.arange(first, first + count) / RATE) * 8192).astype(np.int16)


def is_colour(seen: list[int], wanted: tuple[int, int, int]) -> bool:
    return len(seen) == 3 and all(abs(a - b) <= TOLERANCE for a, b in zip(seen, wanted))


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class VideoObserver:
    """Counts pictures; any thread may call `see`. The report has the members that ours has."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.reset()

    def reset(self) -> None:
        with self._lock:
            self.frames = 0
            self.first = self.last = 0.0
            self.longest_gap = 0.0
            self.size = (0, 0)
            self.colour: list[int] = []
            self.metadata: list[tuple[int, int, bytes]] = []

    def see(self, colour: list[int], width: int, height: int, metadata: tuple[int, int, bytes] | None) -> None:
        now = time.monotonic()
        with self._lock:
            if self.frames:
                self.longest_gap = max(self.longest_gap, now - self.last)
            else:
                self.first = now
            self.frames += 1
            self.last = now
            self.size = (width, height)
            self.colour = colour
            if metadata:
                self.metadata.append(metadata)

    def report(self) -> dict:
        with self._lock:
            seconds = self.last - self.first
            return {
                "frames": self.frames,
                "fps": (self.frames - 1) / seconds if seconds > 0 else 0,
                "width": self.size[0],
                "height": self.size[1],
                "colour": self.colour,
                "longestGapMs": self.longest_gap * 1000,
                "metadata": self.metadata[-64:],
            }


class AudioObserver:
    """Keeps the newest half second of sound; any thread may call `hear`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._samples = np.zeros(0, np.int16)
        self._rate = RATE
        self.count = 0

    def hear(self, samples: np.ndarray, rate: int) -> None:
        with self._lock:
            self._rate = rate
            self.count += len(samples)
            self._samples = np.concatenate([self._samples, samples])[-rate // 2 :]

    def report(self) -> dict:
        with self._lock:
            samples, rate = self._samples.astype(float), self._rate
        if len(samples) < rate // 2:
            return {"samples": self.count, "hertz": 0, "level": 0, "purity": -99}
        spectrum = np.abs(np.fft.rfft(samples * np.hanning(len(samples)))) ** 2
        best = int(np.argmax(spectrum))
        near = spectrum[max(0, best - 4) : best + 5].sum()
        rest = max(spectrum.sum() - near, 1e-9)
        return {
            "samples": self.count,
            "hertz": best * rate / len(samples),
            "level": float(np.sqrt(np.mean(samples**2))),
            "purity": float(10 * np.log10(near / rest)),
        }
