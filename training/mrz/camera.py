"""What paper, print and camera do to a row: backgrounds, print defects, light, resolution, blur, noise, compression."""

import cv2
import numpy as np
from numpy.random import Generator


def draw_noise(random: Generator, height: int, width: int, grain: float) -> np.ndarray:
    """Smooth noise of mean 0 and deviation about 1, with structures of `grain` pixels."""
    size = max(2, int(height / grain) + 2), max(2, int(width / grain) + 2)
    return cv2.resize(random.standard_normal(size).astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)


def draw_paper(random: Generator, height: int, width: int, hardness: float) -> np.ndarray:
    """The brightness of the paper: shade, guilloche, print of other colours, texture."""
    paper = np.full((height, width), random.uniform(140, 250), np.float32)
    x, y = np.arange(width, dtype=np.float32)[None], np.arange(height, dtype=np.float32)[:, None]
    if random.random() < 0.5:
        paper += random.uniform(-60, 60) * (x / width - 0.5) + random.uniform(-20, 20) * (y / height - 0.5)
    if random.random() < 0.55 * hardness:
        for _ in range(random.integers(1, 4)):
            paper -= draw_guilloche(random, x, y)
    if random.random() < 0.15 * hardness:
        paper -= draw_other_print(random, height, width)
    if random.random() < 0.25 * hardness:
        paper += random.uniform(3, 16) * draw_noise(random, height, width, random.uniform(3, 20))
    return paper


def draw_guilloche(random: Generator, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Fine curved lines of security print."""
    angle, frequency = random.uniform(0, np.pi), random.uniform(0.08, 0.6)
    wave = random.uniform(0, 14) * np.sin(x * random.uniform(0.005, 0.05) + random.uniform(0, 6.3))
    phase = frequency * (x * np.cos(angle) + y * np.sin(angle) + wave) + random.uniform(0, 6.3)
    ridge = np.sin(phase)
    threshold = random.uniform(-0.3, 0.95)
    shape = np.clip((ridge - threshold) * 4, 0, 1) if random.random() < 0.6 else np.maximum(0, ridge)
    return random.uniform(4, 36) * shape


def draw_other_print(random: Generator, height: int, width: int) -> np.ndarray:
    """Large shapes such as emblems, stamps and strokes of a signature."""
    mask = np.zeros((height, width), np.uint8)
    for _ in range(random.integers(1, 5)):
        start = int(random.integers(0, width)), int(random.integers(-height, 2 * height))
        if random.random() < 0.5:
            axes = int(random.integers(10, 120)), int(random.integers(10, 120))
            cv2.ellipse(mask, start, axes, random.uniform(0, 180), 0, 360, 255, int(random.integers(1, 7)), cv2.LINE_AA)
        else:
            end = start[0] + int(random.integers(-250, 250)), int(random.integers(-height, 2 * height))
            cv2.line(mask, start, end, 255, int(random.integers(1, 5)), cv2.LINE_AA)
    return mask.astype(np.float32) / 255 * random.uniform(8, 60)


def spoil_print(random: Generator, ink: np.ndarray, hardness: float) -> np.ndarray:
    """Print defects: uneven and thin ink, specks, missing lines of a print head, scratches."""
    height, width = ink.shape
    if random.random() < 0.25 * hardness:
        ink = ink * np.clip(1.1 - random.uniform(0.1, 0.55) * np.abs(draw_noise(random, height, width, random.uniform(2, 12))), 0.2, 1)
    if random.random() < 0.1 * hardness:
        speckled = random.random(((height + 1) // 2, (width + 1) // 2), dtype=np.float32) < random.uniform(0.01, 0.12)
        ink = ink * (1 - 0.8 * cv2.resize(speckled.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR))
    if random.random() < 0.08 * hardness:
        top = int(random.integers(0, height - 2))
        ink = ink.copy()
        ink[top : top + int(random.integers(1, 4))] *= random.uniform(0, 0.5)
    if random.random() < 0.08 * hardness:
        scratch = np.zeros((height, width), np.uint8)
        for _ in range(random.integers(1, 4)):
            start, end = random.integers(0, width, 2), random.integers(0, height, 2)
            cv2.line(scratch, (int(start[0]), int(end[0])), (int(start[1]), int(end[1])), 255, 1, cv2.LINE_AA)
        ink = ink * (1 - random.uniform(0.3, 0.9) / 255 * scratch)
    return ink


def add_light(random: Generator, image: np.ndarray, hardness: float) -> np.ndarray:
    """Glare of a lamp and shadows."""
    height, width = image.shape
    x, y = np.arange(width, dtype=np.float32)[None], np.arange(height, dtype=np.float32)[:, None]
    if random.random() < 0.2 * hardness:
        centre, radius = random.uniform(0, width), random.uniform(0.5, 5) * height
        middle, slant = random.uniform(-0.5, 1.5) * height, random.uniform(-1, 1)
        distance = ((x - centre + slant * (y - middle)) / radius) ** 2 + ((y - middle) / (radius * random.uniform(0.5, 2))) ** 2
        share = random.uniform(0.15, 0.8) * np.exp(-distance)
        image = image * (1 - share) + 255 * share
    if random.random() < 0.15 * hardness:
        edge, slant, softness = random.uniform(0, width), random.uniform(-2, 2), random.uniform(2, 40)
        image = image * (1 - random.uniform(0.2, 0.6) / (1 + np.exp(np.clip((x - edge + slant * y) / softness, -30, 30))))
    return image


def blur(random: Generator, image: np.ndarray, pixels: float, hardness: float) -> np.ndarray:
    """Lens and motion blur; `pixels` is the size of a pixel of the camera in pixels of the image."""
    if random.random() < 0.55:
        image = cv2.GaussianBlur(image, (0, 0), pixels * random.uniform(0.1, 0.35 + 0.55 * hardness))
    if random.random() < 0.2 * hardness:
        length = pixels * random.uniform(1, 3.2)
        angle = random.uniform(0, np.pi)
        size = int(length) // 2 * 2 + 3
        kernel = np.zeros((size, size), np.float32)
        dx, dy = np.cos(angle) * length / 2, np.sin(angle) * length / 2
        ends = [(int(16 * (size // 2 + sign * dx)), int(16 * (size // 2 + sign * dy))) for sign in (-1, 1)]
        cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, 4)
        total = kernel.sum()
        image = cv2.filter2D(image, -1, kernel / total) if total > 0 else image
    return image


def add_moire(random: Generator, image: np.ndarray) -> np.ndarray:
    """The pattern of a display or a print screen that the camera sampled."""
    height, width = image.shape
    x, y = np.arange(width, dtype=np.float32)[None], np.arange(height, dtype=np.float32)[:, None]
    angle, period = random.uniform(0, np.pi), random.uniform(2.1, 7)
    phase = 2 * np.pi / period * (x * np.cos(angle) + y * np.sin(angle)) + random.uniform(0, 2) * np.sin(x * random.uniform(0.01, 0.1))
    return image * (1 + random.uniform(0.02, 0.14) * np.sin(phase + random.uniform(0, 6.3)))


def compress(random: Generator, image: np.ndarray) -> np.ndarray:
    """JPEG, at any position of its blocks and sometimes twice."""
    height, width = image.shape
    top, left = (int(value) for value in random.integers(0, 8, 2))
    padded = cv2.copyMakeBorder(np.clip(image, 0, 255).astype(np.uint8), top, 4, left, 4, cv2.BORDER_REPLICATE)
    quality = int(random.integers(22, 95))
    _, encoded = cv2.imencode(".jpg", padded, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return cv2.imdecode(encoded, cv2.IMREAD_GRAYSCALE)[top : top + height, left : left + width].astype(np.float32)


def photograph(random: Generator, image: np.ndarray, scale: float, pixels_per_character: float, hardness: float) -> np.ndarray:
    """Reduces the image to the resolution of a photograph, with the defects of camera and file."""
    height, width = image.shape
    image = blur(random, add_light(random, image, hardness), 1 / max(scale, 0.2), hardness)
    size = max(16, round(width * scale)), max(6, round(height * scale * random.uniform(0.9, 1.1)))
    way = cv2.INTER_AREA if scale < 1 and random.random() < 0.7 else cv2.INTER_LINEAR
    image = cv2.resize(image, size, interpolation=way)
    if random.random() < 0.1 * hardness:
        image = add_moire(random, image)
    if random.random() < 0.3 * hardness:
        image = image + random.uniform(0.3, 1.6) * (image - cv2.GaussianBlur(image, (0, 0), random.uniform(0.7, 1.5)))
    if random.random() < 0.6:
        strength = random.uniform(1, 9 if pixels_per_character > 8 else 4) * hardness
        image = image + strength * random.standard_normal(image.shape, dtype=np.float32)
    if random.random() < 0.6 * hardness:
        image = compress(random, image)
    return np.clip(image, 0, 255)
