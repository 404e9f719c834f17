import type { Risk, Verdict } from '../checks/risks';
import type { ActionOutcome, LivenessAction } from './active-liveness';
import type { FaceList } from './face-search';
import type { AgeBand, AgeEstimate, MinimumAgeAnswer } from './age';

/** A rectangle in pixels of the image as it was sent, after its EXIF orientation was applied. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Turn that made the content upright, clockwise degrees. */
export type Rotation = 0 | 90 | 180 | 270;

/** The weights a result rests on. */
export interface ModelUse {
  role: string;
  name: string;
  version: string;
  sha256: string;
}

/** Head pose in degrees: yaw positive to the person's right, pitch positive upwards, roll positive clockwise. */
export interface Pose {
  yaw: number;
  pitch: number;
  roll: number;
}

/** How well a face can be judged. */
export interface FaceQuality {
  /** 0–100, from the variance of the Laplacian on the aligned face */
  sharpness: number;
  /** mean luminance of the face, 0–255 */
  brightness: number;
  pose: Pose;
  /** probability that each eye is open, 0–1: the person's right eye, then the left one */
  eyesOpen: [number, number];
  /** pixels between the eye centres in the image as sent */
  interEyeDistance: number;
  /** 0–1: how far landmarks, eyes and evenness of the face hint at something covering it */
  occlusion: number;
  /** 0–100, the weakest of the parts above on one scale */
  overall: number;
}

export interface DetectedFace {
  box: Box;
  /** detector's confidence, 0–1 */
  confidence: number;
}

export interface LivenessParts {
  /** the model's probability of a live face at its own crop scale, 0–1 */
  model: number;
  /** the same at a narrower crop: a flat copy rarely deceives both */
  narrowCrop: number;
  /** periodic energy of a screen's pixel grid or of moiré, 0 (none) – 1 (strong) */
  moire: number;
  /** burnt-out highlights on the skin, 0–1 */
  specular: number;
  /** narrowness of the colour gamut, as prints and screens have it, 0–1 */
  gamut: number;
  /** straight edges of a screen or sheet around the face, 0–1 */
  frameEdges: number;
  /** width of the face against the width of the image */
  faceToFrame: number;
}

/** What an active check saw the person do. */
export interface ActiveLiveness {
  challengeId: string;
  /** in the order asked for */
  actions: ActionOutcome[];
  /** a turn of the head that was not asked for at that point */
  unexpected: LivenessAction | null;
  frames: number;
  facelessFrames: number;
  /** index of the frame that score, parts and quality rest on, and that is compared with other pictures */
  bestFrame: number | null;
  /** score of that frame by itself, 0–100 */
  passiveScore: number | null;
  /** least cosine of any frame with it */
  continuity: number | null;
}

export interface LivenessResult {
  method: 'passive' | 'active';
  /** null of a passive check */
  active: ActiveLiveness | null;
  /** 0–100, higher is more likely a live person in front of the camera; null without a face */
  score: number | null;
  parts: LivenessParts | null;
  /** points each part took from the score of the model, for an explanation of the score */
  deductions: Partial<Record<keyof LivenessParts, number>>;
  face: DetectedFace | null;
  faces: DetectedFace[];
  rotation: Rotation;
  quality: FaceQuality | null;
  thresholds: { decline: number; review: number };
  /** what the thresholds were measured on */
  measuredOn: string;
  risks: Risk[];
  status: Verdict;
  models: ModelUse[];
}

/** A judged selfie with the embedding of its face; the embedding is kept nowhere but sealed. */
export interface LivenessAnalysis {
  result: LivenessResult;
  embedding: number[] | null;
}

export interface MatchedImage {
  /** every face found, the largest first */
  faces: DetectedFace[];
  /** the one compared */
  face: DetectedFace | null;
  rotation: Rotation;
  quality: FaceQuality | null;
}

export interface FaceMatchResult {
  /** 0–100, 50 at the threshold; null where one image has no face */
  score: number | null;
  /** cosine of the two embeddings, −1–1 */
  similarity: number | null;
  match: boolean;
  /** cosine from which two faces match, and from which a person should look */
  threshold: number;
  reviewThreshold: number;
  /** share of different people who would reach the threshold, and what that was measured on */
  falseMatchRate: number;
  measuredOn: string;
  userImage: MatchedImage;
  refImage: MatchedImage;
  risks: Risk[];
  status: Verdict;
  models: ModelUse[];
}

/** An embedding for search and comparison: 512 values of unit length, or null without a face. */
export interface EmbeddingResult {
  embedding: number[] | null;
  image: MatchedImage;
  models: ModelUse[];
}

export interface AgeResult {
  /** years; null without a face, as are interval and error */
  age: number | null;
  interval: AgeEstimate['interval'] | null;
  /** of the model for the band the estimate lies in, years */
  meanAbsoluteError: number | null;
  errorByAge: AgeBand[];
  measuredOn: string;
  minimumAge: number | null;
  /** null where no minimum was asked for, or no face was found */
  meetsMinimumAge: MinimumAgeAnswer | null;
  face: DetectedFace | null;
  faces: DetectedFace[];
  rotation: Rotation;
  quality: FaceQuality | null;
  risks: Risk[];
  status: Verdict;
  models: ModelUse[];
}

/** A face found by a search. */
export interface FaceSearchMatch {
  /** of the indexed face */
  id: string;
  name: string | null;
  externalId: string | null;
  /** the session whose selfie it is, null of a face indexed by itself */
  sessionId: string | null;
  list: FaceList;
  /** cosine of the two embeddings, −1–1 */
  similarity: number;
}

export interface FaceSearchResult {
  /** best first; empty where nobody reaches the threshold, or the image has no face */
  matches: FaceSearchMatch[];
  lists: FaceList[];
  topK: number;
  /** faces compared */
  gallerySize: number;
  /** least cosine of a match */
  threshold: number;
  /** strangers expected among the matches of one search, and the chance of at least one */
  expectedFalseHits: number;
  falsePositiveIdentificationRate: number;
  /** what both rest on */
  measuredOn: string;
  face: DetectedFace | null;
  faces: DetectedFace[];
  rotation: Rotation;
  quality: FaceQuality | null;
  risks: Risk[];
  status: Verdict;
  models: ModelUse[];
}
