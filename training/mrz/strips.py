"""Synthetic strips of zone lines with the position of every character.

A strip is what the service cuts out of a page for one line: `HEIGHT` pixels high, about `NOMINAL_PITCH` pixels per
character, grey. The label names for each step of `STEP` pixels the character whose centre is near, or blank.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator, default_rng

from camera import draw_paper, photograph, spoil_print
from glyphs import CAP_HEIGHT, CELL, OCR_B, OTHER_FONTS, PITCH, STROKES, VARIANTS, WIDTHS, draw_glyphs, draw_row
from zone_text import CHARACTERS, ZoneTextGenerator

HEIGHT = 32
STEP = 4
NOMINAL_PITCH = 15.5
BLANK = len(CHARACTERS)
SCALE = 2
"""Size of the drawing relative to the strip."""
CENTRE_SHARE = 0.2
"""Steps within this share of the pitch from a centre are labelled, so that a blank separates repeated characters."""


@dataclass
class Conditions:
    """The range of conditions of a set of strips."""

    hardness: float = 1.0
    """0 for clean prints in clear photographs, 1 for all defects."""
    pixels_per_character: tuple[float, float] | None = None
    """A fixed range of resolutions; by default, most are clear and a third have 4.5 to 9 pixels per character."""
    only_other_fonts: bool = False
    """Whether all lines are in fonts that are not OCR-B, or not quite; by default, a fifth of them are."""


@dataclass
class Geometry:
    """Where the row lies in the drawing; the centre of character i is at `x(i)`."""

    start: float
    pitch: float
    stretch: float
    length: int

    def x(self, index):
        """Perspective makes the pitch change along the row."""
        return self.start + self.pitch * (index + 0.5) * (1 + self.stretch * (index + 0.5) / self.length)


def draw_strip(random: Generator, width: int, conditions: Conditions) -> tuple[np.ndarray, np.ndarray]:
    """A strip of a part of a line, and its label."""
    texts = ZoneTextGenerator(random)
    text = texts.draw_line()
    pitch = NOMINAL_PITCH * random.uniform(0.84, 1.17)
    visible = int(width / pitch)
    if len(text) > visible:
        first = int(random.integers(0, len(text) - visible + 1))
        text = text[first : first + visible + 3]
    start = random.uniform(-1, 2) * pitch * SCALE
    geometry = Geometry(start, pitch * SCALE, random.uniform(-0.05, 0.05) * conditions.hardness, max(12, visible))
    return _render(random, text, texts, geometry, width, conditions), _draw_label(text, geometry, width)


def draw_line(random: Generator, conditions: Conditions) -> tuple[np.ndarray, str]:
    """A strip of a whole line as the service cuts it out, with an error of half a character at each end, and its text."""
    texts = ZoneTextGenerator(random)
    text = texts.draw_line()
    width = STEP * round(len(text) * NOMINAL_PITCH / STEP)
    ends = random.uniform(-0.5, 0.5, 2)
    pitch = width * SCALE / (len(text) + ends[0] + ends[1])
    geometry = Geometry(ends[0] * pitch, pitch, 0.0, len(text))
    return _render(random, text, texts, geometry, width, conditions), text


def _render(random, text, texts, geometry, width, conditions) -> np.ndarray:
    hardness = conditions.hardness
    cap = min(25.0, max(10.0, random.uniform(13, 23) if random.random() < 0.8 else random.uniform(10, 25))) * SCALE
    ink = _warp_rows(random, text, texts, geometry, cap, (HEIGHT * SCALE, width * SCALE), conditions)
    ink = spoil_print(random, ink, hardness)
    paper = draw_paper(random, HEIGHT * SCALE, width * SCALE, hardness)
    opacity = random.uniform(0.6, 1) if random.random() > 0.3 * hardness else random.uniform(0.25, 0.6)
    cover = ink * opacity
    image = paper * (1 - cover) + random.uniform(0, 90) * cover
    resolution = _draw_resolution(random, conditions)
    image = photograph(random, image, resolution / geometry.pitch, resolution, hardness)
    way = (cv2.INTER_LINEAR, cv2.INTER_CUBIC, cv2.INTER_LINEAR)[int(random.integers(3))]
    return np.clip(cv2.resize(image, (width, HEIGHT), interpolation=way), 0, 255).astype(np.uint8)


def _draw_resolution(random: Generator, conditions: Conditions) -> float:
    if conditions.pixels_per_character is not None:
        return random.uniform(*conditions.pixels_per_character)
    return random.uniform(9, 28) if random.random() > 0.45 * conditions.hardness else random.uniform(4.5, 9)


def _choose_glyphs(random: Generator, conditions: Conditions) -> dict[str, np.ndarray]:
    kind = random.random()
    if conditions.only_other_fonts:
        kind = 0.0 if kind < 0.5 else 1.0
    if kind < 0.09:
        # One weight and width each, so that the sets are drawn once.
        variant = int(random.integers(VARIANTS))
        return draw_glyphs(OCR_B, STROKES[variant % len(STROKES)], WIDTHS[variant % len(WIDTHS)], variant)
    path = OCR_B if kind < 0.9 else OTHER_FONTS[int(random.integers(len(OTHER_FONTS)))]
    strokes = STROKES if path == OCR_B else (-1, 0, 1)
    return draw_glyphs(path, strokes[int(random.integers(len(strokes)))], WIDTHS[int(random.integers(len(WIDTHS)))])


def _warp_rows(random, text, texts, geometry, cap, size, conditions) -> np.ndarray:
    """The ink of the row, and of the rows above and below if they are in the strip, 0 to 1."""
    height, width = size
    hardness = conditions.hardness
    glyphs = _choose_glyphs(random, conditions)
    jitter = random.random() < 0.2
    middle = height / 2 + random.uniform(-0.12, 0.12) * height
    tilt = random.uniform(-0.014, 0.014) * hardness if random.random() < 0.7 else 0.0
    curl = random.uniform(-5, 5) * SCALE * hardness if random.random() < 0.2 * hardness else 0.0
    slant = random.uniform(-0.09, 0.09) if random.random() < 0.6 else 0.0
    x = np.arange(width, dtype=np.float32)[None]
    y = np.arange(height, dtype=np.float32)[:, None]
    bow = tilt * (x - width / 2) + curl * ((2 * x / width - 1) ** 2 - 0.33)
    across = (y - middle - bow) * (CAP_HEIGHT / cap)
    position = (x - slant * (y - middle) - geometry.start) / geometry.pitch
    # Inverse of the stretched position, exact to the second order.
    index = position * (1 - geometry.stretch * position / geometry.length) - 0.5
    along = (CELL / 2 + PITCH * index).astype(np.float32)
    rows = [(text, 0.0)]
    if random.random() < 0.55 * hardness:
        gap = random.uniform(1.55, 2.6) * CAP_HEIGHT
        sides = ((-1,), (1,), (-1, 1))[int(random.integers(3))]
        rows += [(texts.draw_line()[: len(text)], side * gap) for side in sides]
    ink = np.zeros(size, np.float32)
    for content, offset in rows:
        shifts = random.integers(-1, 2, (len(content), 2)) if jitter else np.zeros((len(content), 2), np.int64)
        mask = draw_row(content, glyphs, shifts)
        rows_at = (across - offset + CELL / 2).astype(np.float32)
        ink = np.maximum(ink, cv2.remap(mask, along, rows_at, cv2.INTER_LINEAR).astype(np.float32))
    return ink / 255


def _draw_label(text: str, geometry: Geometry, width: int) -> np.ndarray:
    label = np.full(width // STEP, BLANK, np.int64)
    reach = CENTRE_SHARE * geometry.pitch / SCALE
    for index, character in enumerate(text):
        centre = geometry.x(index) / SCALE
        first = max(0, int(np.ceil((centre - reach) / STEP - 0.5)))
        last = min(len(label) - 1, int(np.floor((centre + reach) / STEP - 0.5)))
        if first > last:
            first = last = int(centre / STEP)
        if 0 <= first and last < len(label):
            label[first : last + 1] = CHARACTERS.index(character)
    return label


def draw_batch(seed: int, index: int, size: int, width: int, conditions: Conditions) -> tuple[np.ndarray, np.ndarray]:
    """Batch `index` of a seed: strips (size, HEIGHT, width) and labels (size, width / STEP)."""
    random = default_rng((seed, index))
    drawn = [draw_strip(random, width, conditions) for _ in range(size)]
    return np.stack([strip for strip, _ in drawn]), np.stack([label for _, label in drawn])


def spell(classes) -> str:
    """The text of a sequence of classes per step: repeats and blanks removed."""
    text, previous = "", BLANK
    for value in classes:
        if value not in (previous, BLANK):
            text += CHARACTERS[value]
        previous = value
    return text
