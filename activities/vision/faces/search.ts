import type { Networks } from '../inference/networks';
import { ImagePyramid } from '../imaging/image-pyramid';
import { turnRaster } from '../imaging/raster';
import type { Raster, Rect, Turn } from '../imaging/raster';
import { detectFaces, suppressOverlaps } from './detector';
import type { Detection } from './detector';
import { alignFace, embedAligned } from './embedding';
import type { Embedding } from './embedding';
import { computeEyeAngle, findLandmarks, computeFivePoints, computeInterEyeDistance, fitSimilarity } from './landmarks';
import type { Point } from './landmarks';

export interface FoundFace extends Detection {
  landmarks: Point[];
  /** mean distance of the five points from those of an upright frontal face, relative to the inter-eye distance, 0–1 */
  misfit: number;
}

export interface FaceSearch {
  /** rotation that made the faces upright */
  turn: Turn;
  /** the image after that rotation */
  image: ImagePyramid;
  /** largest first */
  faces: FoundFace[];
  /** embedding of the largest face; null without a face, or where it was not computed */
  embedding: Embedding | null;
}

/** At a larger angle of the eyes, the image is rotated or the detection is not a face. */
const MAX_EYE_ANGLE = 35;
/** On a document, a face detected with this score ends the search in parts of the page. */
const CERTAIN_SCORE = 0.9;
/** Embedding magnitude that only upright faces reach: no further rotations are tried. */
const UPRIGHT_MAGNITUDE = 3;
const TURNS: readonly Turn[] = [0, 90, 270, 180];

const FRONTAL: readonly Point[] = [
  { x: -0.5, y: 0 },
  { x: 0.5, y: 0 },
  { x: 0, y: 0.57 },
  { x: -0.41, y: 1.15 },
  { x: 0.41, y: 1.15 },
];

function computeMisfit(landmarks: readonly Point[]): number {
  const points = computeFivePoints(landmarks);
  const [a, b, c, d, e, f] = fitSimilarity(FRONTAL, points);
  const distance = computeInterEyeDistance(landmarks);
  const errors = FRONTAL.map(({ x, y }, index) => {
    const point = points[index] ?? { x: 0, y: 0 };
    return Math.hypot(a * x + b * y + c - point.x, d * x + e * y + f - point.y);
  });
  return distance === 0 ? 1 : Math.min(1, errors.reduce((sum, error) => sum + error, 0) / 5 / distance);
}

const isLevel = ({ landmarks }: FoundFace): boolean => Math.abs(computeEyeAngle(landmarks)) <= MAX_EYE_ANGLE;

const computeArea = ({ box }: Detection): number => box.width * box.height;

/** Area of the second largest face relative to the largest; 0 without a second face. */
export const computeSecondFaceShare = ({ faces: [largest, second] }: FaceSearch): number =>
  largest && second ? computeArea(second) / computeArea(largest) : 0;

async function addLandmarks(
  networks: Networks,
  image: ImagePyramid,
  detections: readonly Detection[],
): Promise<FoundFace[]> {
  const faces: FoundFace[] = [];
  for (const detection of detections.slice(0, 8)) {
    const landmarks = await findLandmarks(networks, image, detection.box);
    faces.push({ ...detection, landmarks, misfit: computeMisfit(landmarks) });
  }
  return faces.filter(isLevel).sort((a, b) => computeArea(b) - computeArea(a));
}

/** Overlapping tiles with sides of `share` of the page, to detect faces too small to be found on the whole page. */
function listTiles({ width, height }: ImagePyramid, share: number): Rect[] {
  const steps = Math.round(2 / share) - 1;
  const starts = Array.from({ length: steps }, (_, index) => (index * (1 - share)) / Math.max(1, steps - 1));
  return starts.flatMap((across) =>
    starts.map((along) => ({ x: width * along, y: height * across, width: width * share, height: height * share })),
  );
}

/** Tile sizes searched one after another, until a face has a certain score. */
const TILE_SHARES = [1 / 2, 1 / 3];
/** A document that is wider than this share of the image has no portrait that only the smallest tiles show. */
const WIDE_SHARE = 0.66;

interface FaceSearchOptions {
  /** whether parts of the page are searched, too */
  onDocument?: boolean;
  /** width of the document in the image turned upright, pixels; 0 if it is not known */
  width?: number;
  /** the image in one of its rotations, if it is known; its reduced levels are used again */
  turned?: { turn: Turn; image: ImagePyramid };
  /** where the portrait is expected by the layout of the document, in the image turned upright; searched before others */
  portraitRegion?: Rect | null;
}

async function searchUpright(
  networks: Networks,
  image: ImagePyramid,
  { onDocument = false, width = 0, portraitRegion = null }: FaceSearchOptions,
): Promise<FoundFace[]> {
  const found: Detection[] = await detectFaces(networks, image);
  const shares = TILE_SHARES.slice(0, width > WIDE_SHARE * image.width ? 1 : undefined);
  const parts = onDocument ? shares.map((share) => listTiles(image, share)) : [];
  for (const regions of portraitRegion === null ? parts : [[portraitRegion], ...parts]) {
    if (found.some(({ score }) => score >= CERTAIN_SCORE)) break;
    for (const region of regions) found.push(...(await detectFaces(networks, image, region)));
  }
  return addLandmarks(networks, image, suppressOverlaps(found));
}

/**
 * Detects the faces of an image in any rotation, and selects the rotation with the highest embedding magnitude of the
 * largest face. Detection scores and landmarks are not sufficient, because faces lying on their side are also detected,
 * with landmarks of an upright face. Of a document, parts of the page are searched, too.
 *
 * @param turns rotations to try @default all, until one is certainly upright
 * @param embedding whether the embedding is computed even if there is no rotation to select @default true
 */
export async function searchFaces(
  networks: Networks,
  raster: Raster,
  {
    turns = TURNS,
    turned,
    embedding: isEmbedded = true,
    ...options
  }: FaceSearchOptions & { turns?: readonly Turn[]; embedding?: boolean } = {},
): Promise<FaceSearch> {
  let best: FaceSearch | null = null;
  for (const turn of turns) {
    const image = turned?.turn === turn ? turned.image : new ImagePyramid(turnRaster(raster, turn));
    const faces = await searchUpright(networks, image, options);
    const [largest] = faces;
    const isNeeded = isEmbedded || turns.length > 1;
    const embedding = largest && isNeeded ? await embedAligned(networks, alignFace(image, largest.landmarks)) : null;
    const magnitude = embedding?.magnitude ?? 0;
    if (best === null || magnitude > (best.embedding?.magnitude ?? 0)) best = { turn, image, faces, embedding };
    if (magnitude >= UPRIGHT_MAGNITUDE) break;
  }
  return best ?? { turn: 0, image: new ImagePyramid(raster), faces: [], embedding: null };
}
