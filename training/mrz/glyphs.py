"""Glyph masks of the zone's characters in several fonts, stroke weights and widths."""

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator, default_rng
from PIL import Image, ImageDraw, ImageFont

from zone_text import CHARACTERS

REPOSITORY = Path(__file__).resolve().parents[2]
MODULES = REPOSITORY / "node_modules"
OCR_B = MODULES / "bwip-js/fonts/OCRB7.ttf"
NOTO_MONO = MODULES / "@expo-google-fonts/noto-sans-mono"
NOTO_SANS = MODULES / "@expo-google-fonts/noto-sans"
OTHER_FONTS = (
    NOTO_MONO / "300Light/NotoSansMono_300Light.ttf",
    NOTO_MONO / "400Regular/NotoSansMono_400Regular.ttf",
    NOTO_MONO / "500Medium/NotoSansMono_500Medium.ttf",
    NOTO_MONO / "600SemiBold/NotoSansMono_600SemiBold.ttf",
    NOTO_SANS / "400Regular/NotoSans_400Regular.ttf",
    NOTO_SANS / "500Medium/NotoSans_500Medium.ttf",
    MODULES / "bwip-js/fonts/Inconsolata.otf",
)
"""For zones of cards that are not printed in OCR-B."""
VARIANTS = 48
"""Deformed sets of OCR-B, for zones in fonts that are nearly OCR-B."""

PITCH = 24
"""Pixels from character to character in a drawn row."""
CELL = 48
"""Side of the square mask of a character: it may be wider than its pitch."""
CAP_HEIGHT = 22
"""Height of capitals in a drawn row, pixels."""
SUPERSAMPLING = 4

STROKES = (-3, -2, -1, 0, 1, 2, 3, 4, 6)
"""Pixels by which strokes are eroded or dilated, at `SUPERSAMPLING` times the size of a cell."""
WIDTHS = (0.86, 0.93, 1.0, 1.0, 1.07, 1.14)


@lru_cache(maxsize=16)
def _open_font(path: Path) -> ImageFont.FreeTypeFont:
    size = 20
    while True:
        font = ImageFont.truetype(str(path), size)
        _, top, _, bottom = font.getbbox("H")
        if bottom - top >= CAP_HEIGHT * SUPERSAMPLING:
            return font
        size += 1


def _deform(random: Generator, mask: np.ndarray, width: float, height: float) -> np.ndarray:
    """Stretches a mask by these factors around its centre and bends its strokes, by up to a tenth of the capitals."""
    side = mask.shape[0]
    bends = random.uniform(-0.05, 0.05, (2, 6, 6)).astype(np.float32) * CAP_HEIGHT * SUPERSAMPLING
    dx, dy = (cv2.resize(bend, (side, side), interpolation=cv2.INTER_CUBIC) for bend in bends)
    from_centre = np.arange(side, dtype=np.float32) - side / 2
    x = side / 2 + from_centre[None] / width + dx
    y = side / 2 + from_centre[:, None] / height + dy
    return cv2.remap(mask, x, y, cv2.INTER_LINEAR)


@lru_cache(maxsize=512)
def draw_glyphs(path: Path, stroke: int, width: float, variant: int | None = None) -> dict[str, np.ndarray]:
    """Masks of all characters, capitals centred in their cells; a variant is a deformed set."""
    font = _open_font(path)
    _, top, _, bottom = font.getbbox("H")
    side = CELL * SUPERSAMPLING
    random = default_rng((1, variant or 0))
    digit_height = random.uniform(0.92, 1.04)
    glyphs = {}
    for character in CHARACTERS:
        image = Image.new("L", (side, side), 0)
        # A mono-spaced font keeps the place of a character in its cell, others are centred.
        offset = (side - font.getlength(character)) / 2, side / 2 - (top + bottom) / 2
        ImageDraw.Draw(image).text(offset, character, fill=255, font=font)
        mask = np.asarray(image)
        size = abs(stroke) + 1
        element = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
        if stroke != 0:
            mask = cv2.dilate(mask, element) if stroke > 0 else cv2.erode(mask, element)
        if variant is not None:
            height = digit_height if character.isdigit() else 1.0
            mask = _deform(random, mask, random.uniform(0.86, 1.12), height * random.uniform(0.97, 1.03))
        stretch = np.array([[width, 0, side / 2 * (1 - width)], [0, 1, 0]], np.float32)
        mask = cv2.warpAffine(mask, stretch, (side, side))
        glyphs[character] = cv2.resize(mask, (CELL, CELL), interpolation=cv2.INTER_AREA)
    return glyphs


def draw_row(text: str, glyphs: dict[str, np.ndarray], shifts: np.ndarray) -> np.ndarray:
    """The ink of a row, `CELL` pixels high; the centre of character i is at `CELL / 2 + PITCH * i`."""
    row = np.zeros((CELL, PITCH * len(text) + CELL), np.uint8)
    for index, character in enumerate(text):
        dx, dy = shifts[index]
        left = PITCH * index + max(-2, min(2, int(dx))) + 2
        mask = glyphs[character]
        if dy:
            mask = np.roll(mask, int(dy), axis=0)
        left = max(0, min(left - 2, row.shape[1] - CELL))
        target = row[:, left : left + CELL]
        np.maximum(target, mask, out=target)
    return row
