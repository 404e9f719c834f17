import type { Networks } from '../inference/sessions';
import { Picture } from '../imaging/picture';
import { turned } from '../imaging/raster';
import type { Raster, Rect, Turn } from '../imaging/raster';
import { detectFaces, suppress } from './detector';
import type { Detection } from './detector';
import { alignedFace, embedAligned } from './embedding';
import type { Embedding } from './embedding';
import { eyeAngle, findLandmarks, fivePoints, interEyeDistance, similarity } from './landmarks';
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
  picture: Picture;
  /** the largest first */
  faces: FoundFace[];
  /** embedding of the largest face */
  embedding: Embedding | null;
}

/** Beyond this the eyes are not level: the image is turned, or this is no face. */
const MAX_EYE_ANGLE = 35;
/** On a document, a face detected this certainly on the whole page ends the search of its parts. */
const CERTAIN = 0.9;
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

function misfitOf(landmarks: readonly Point[]): number {
  const points = fivePoints(landmarks);
  const [a, b, c, d, e, f] = similarity(FRONTAL, points);
  const distance = interEyeDistance(landmarks);
  const errors = FRONTAL.map(({ x, y }, index) => {
    const point = points[index] ?? { x: 0, y: 0 };
    return Math.hypot(a * x + b * y + c - point.x, d * x + e * y + f - point.y);
  });
  return distance === 0 ? 1 : Math.min(1, errors.reduce((sum, error) => sum + error, 0) / 5 / distance);
}

const isLevel = ({ landmarks }: FoundFace): boolean => Math.abs(eyeAngle(landmarks)) <= MAX_EYE_ANGLE;

const area = ({ box }: Detection): number => box.width * box.height;

/** The second largest face against the largest, by area: 0 where there is none. */
export const secondFaceShare = ({ faces: [largest, second] }: FaceSearch): number =>
  largest && second ? area(second) / area(largest) : 0;

async function withLandmarks(
  networks: Networks,
  picture: Picture,
  detections: readonly Detection[],
): Promise<FoundFace[]> {
  const faces: FoundFace[] = [];
  for (const detection of detections.slice(0, 8)) {
    const landmarks = await findLandmarks(networks, picture, detection.box);
    faces.push({ ...detection, landmarks, misfit: misfitOf(landmarks) });
  }
  return faces.filter(isLevel).sort((a, b) => area(b) - area(a));
}

/** Overlapping tiles of a page, each `share` of its sides, in which a face too small for the whole page is looked for. */
function tiles({ width, height }: Picture, share: number): Rect[] {
  const steps = Math.round(2 / share) - 1;
  const starts = Array.from({ length: steps }, (_, index) => (index * (1 - share)) / Math.max(1, steps - 1));
  return starts.flatMap((across) =>
    starts.map((along) => ({ x: width * along, y: height * across, width: width * share, height: height * share })),
  );
}

/** Shares of the page's sides searched one after the other, until a portrait is certain. */
const TILES = [1 / 2, 1 / 3];

async function searchUpright(networks: Networks, picture: Picture, onDocument: boolean): Promise<FoundFace[]> {
  const found: Detection[] = await detectFaces(networks, picture);
  for (const share of onDocument ? TILES : []) {
    if (found.some(({ score }) => score >= CERTAIN)) break;
    for (const tile of tiles(picture, share)) found.push(...(await detectFaces(networks, picture, tile)));
  }
  return withLandmarks(networks, picture, suppress(found));
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
    const picture = new Picture(turned(raster, turn));
    const faces = await searchUpright(networks, picture, onDocument);
    const [largest] = faces;
    const embedding = largest ? await embedAligned(networks, alignedFace(picture, largest.landmarks)) : null;
    const magnitude = embedding?.magnitude ?? 0;
    if (best === null || magnitude > (best.embedding?.magnitude ?? 0)) best = { turn, picture, faces, embedding };
    if (magnitude >= UPRIGHT_MAGNITUDE) break;
  }
  return best ?? { turn: 0, picture: new Picture(raster), faces: [], embedding: null };
}
