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
  /** 0–1: how far the five points are from those of an upright frontal face, against the distance of the eyes */
  misfit: number;
}

export interface FaceSearch {
  /** turn that made the faces upright */
  turn: Turn;
  /** the image after that turn */
  image: ImagePyramid;
  /** the largest first */
  faces: FoundFace[];
  /** embedding of the largest face */
  embedding: Embedding | null;
}

/** Beyond this the eyes are not level: the image is turned, or this is no face. */
const MAX_EYE_ANGLE = 35;
/** On a document, a face detected this certainly on the whole page ends the search of its parts. */
const CERTAIN_SCORE = 0.9;
/** Magnitude of an embedding that only upright faces reach: other turns need not be tried. */
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

/** The second largest face against the largest, by area: 0 where there is none. */
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

/** Overlapping tiles of a page, each `share` of its sides, in which a face too small for the whole page is looked for. */
function listTiles({ width, height }: ImagePyramid, share: number): Rect[] {
  const steps = Math.round(2 / share) - 1;
  const starts = Array.from({ length: steps }, (_, index) => (index * (1 - share)) / Math.max(1, steps - 1));
  return starts.flatMap((across) =>
    starts.map((along) => ({ x: width * along, y: height * across, width: width * share, height: height * share })),
  );
}

/** Shares of the page's sides searched one after the other, until a portrait is certain. */
const TILE_SHARES = [1 / 2, 1 / 3];

async function searchUpright(networks: Networks, image: ImagePyramid, onDocument: boolean): Promise<FoundFace[]> {
  const found: Detection[] = await detectFaces(networks, image);
  for (const share of onDocument ? TILE_SHARES : []) {
    if (found.some(({ score }) => score >= CERTAIN_SCORE)) break;
    for (const tile of listTiles(image, share)) found.push(...(await detectFaces(networks, image, tile)));
  }
  return addLandmarks(networks, image, suppressOverlaps(found));
}

/**
 * Finds the faces of an image however it is turned: the turn at which the largest face embeds most strongly. Detector and
 * landmarks do not tell: they find faces lying on their side, and fit upright features to them. On a document the
 * portrait is also looked for in parts of the page.
 *
 * @param turns which quarter turns to try @default all, stopping at the first that is certainly upright
 */
export async function searchFaces(
  networks: Networks,
  raster: Raster,
  { onDocument = false, turns = TURNS }: { onDocument?: boolean; turns?: readonly Turn[] } = {},
): Promise<FaceSearch> {
  let best: FaceSearch | null = null;
  for (const turn of turns) {
    const image = new ImagePyramid(turnRaster(raster, turn));
    const faces = await searchUpright(networks, image, onDocument);
    const [largest] = faces;
    const embedding = largest ? await embedAligned(networks, alignFace(image, largest.landmarks)) : null;
    const magnitude = embedding?.magnitude ?? 0;
    if (best === null || magnitude > (best.embedding?.magnitude ?? 0)) best = { turn, image, faces, embedding };
    if (magnitude >= UPRIGHT_MAGNITUDE) break;
  }
  return best ?? { turn: 0, image: new ImagePyramid(raster), faces: [], embedding: null };
}
