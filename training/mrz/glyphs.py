"""Glyph masks of the zone's characters in several fonts, stroke weights and widths."""

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from zone_text import CHARACTERS

REPOSITORY = Path(__file__).resolve().parents[2]
MODULES = REPOSITORY / "node_modules"
OCR_B = MODULES / "bwip-js/fonts/OCRB7.ttf"
NOTO_MONO = MODULES / "@expo-google-fonts/noto-sans-mono"
OTHER_FONTS = (
    NOTO_MONO / "400Regular/NotoSansMono_400Regular.ttf",
    NOTO_MONO / "500Medium/NotoSansMono_500Medium.ttf",
    NOTO_MONO / "600SemiBold/NotoSansMono_600SemiBold.ttf",
)
"""For zones of cards that are not printed in OCR-B."""

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


@lru_cache(maxsize=128)
def draw_glyphs(path: Path, stroke: int, width: float) -> dict[str, np.ndarray]:
    """Masks of all characters, capitals centred in their cells."""
    font = _open_font(path)
    _, top, _, bottom = font.getbbox("H")
    side = CELL * SUPERSAMPLING
    # A mono-spaced font keeps the place of a character in its cell.
    advance = font.getlength("H")
    glyphs = {}
    for character in CHARACTERS:
        image = Image.new("L", (side, side), 0)
        offset = (side - advance) / 2, side / 2 - (top + bottom) / 2
        ImageDraw.Draw(image).text(offset, character, fill=255, font=font)
        mask = np.asarray(image)
        size = abs(stroke) + 1
        element = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
        if stroke != 0:
            mask = cv2.dilate(mask, element) if stroke > 0 else cv2.erode(mask, element)
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
