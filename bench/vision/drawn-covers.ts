import type { FoundFace } from '../../activities/vision/faces/search';
import { computeInterEyeDistance } from '../../activities/vision/faces/landmarks';
import type { Point } from '../../activities/vision/faces/landmarks';
import type { Raster } from '../../activities/vision/imaging/raster';

/** What is drawn over a face. */
export const COVERS = ['surgical mask', 'black mask', 'sunglasses'] as const;
export type Cover = (typeof COVERS)[number];

type Colour = readonly [red: number, green: number, blue: number];

const COLOURS: Record<Cover, Colour> = {
  'surgical mask': [150, 190, 215],
  'black mask': [30, 30, 34],
  sunglasses: [20, 20, 22],
};

/** Whether a point is inside a polygon (even-odd rule). */
function isInside({ x, y }: Point, polygon: readonly Point[]): boolean {
  let inside = false;
  polygon.forEach((a, index) => {
    const b = polygon.at(index - 1) ?? a;
    if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) inside = !inside;
  });
  return inside;
}

/** The outlines of a cover, from the 68 landmarks: cheeks, chin and bridge of the nose, or both eyes. */
function outlineCover({ landmarks }: FoundFace, cover: Cover): Point[][] {
  const at = (index: number): Point => landmarks[index] ?? { x: 0, y: 0 };
  if (cover !== 'sunglasses') return [[...Array.from({ length: 15 }, (_, index) => at(index + 1)), at(28)]];
  const radius = 0.36 * computeInterEyeDistance(landmarks);
  return [36, 42].map((first) => {
    const eye = Array.from({ length: 6 }, (_, index) => at(first + index));
    const centre = { x: eye.reduce((sum, { x }) => sum + x, 0) / 6, y: eye.reduce((sum, { y }) => sum + y, 0) / 6 };
    return Array.from({ length: 24 }, (_, step) => ({
      x: centre.x + 1.2 * radius * Math.cos((step * Math.PI) / 12),
      y: centre.y + radius * Math.sin((step * Math.PI) / 12),
    }));
  });
}

/** The image with a cover drawn over the face, in one colour. */
export function drawCover(image: Raster, face: FoundFace, cover: Cover): Raster {
  const outlines = outlineCover(face, cover);
  const [red, green, blue] = COLOURS[cover];
  const data = new Uint8Array(image.data);
  for (let y = 0; y < image.height; y += 1) {
    for (let x = 0; x < image.width; x += 1) {
      if (outlines.some((outline) => isInside({ x, y }, outline)))
        data.set([red, green, blue], (y * image.width + x) * 3);
    }
  }
  return { width: image.width, height: image.height, data };
}
