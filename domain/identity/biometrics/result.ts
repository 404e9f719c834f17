import type { Risk, Verdict } from '../checks/risks';
import type { ActionOutcome, LivenessAction } from './active-liveness';
import type { FaceList } from './face-search';
import type { CoveredPart } from './covered-parts';
import type { AgeBand, AgeEstimate, MinimumAgeAnswer } from './age';

/** A rectangle in pixels of the image as sent, after its EXIF orientation was applied. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Clockwise rotation in degrees that makes the content upright. */
export type Rotation = 0 | 90 | 180 | 270;

/** The model weights that a result was computed with. */
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

/** Measurements of how well a face can be evaluated. */
export interface FaceQuality {
  /** 0–100, from the variance of the Laplacian on the aligned face. */
  sharpness: number;
  /** Mean luminance of the face, 0–255. */
  brightness: number;
  pose: Pose;
  /** Probability that each eye is open, 0–1: the person's right eye, then the left one. */
  eyesOpen: [number, number];
  /** Pixels between the eye centres in the image as sent. */
  interEyeDistance: number;
  /** Likelihood, from landmarks, eyes and evenness of the face, that something covers it, 0–1. */
  occlusion: number;
  /** Parts of the face that cannot be seen. */
  covered: CoveredPart[];
  /** 0–100, the weakest of the measurements above on one scale. */
  overall: number;
}

export interface DetectedFace {
  box: Box;
  /** Confidence of the detector, 0–1. */
  confidence: number;
}

export interface LivenessParts {
  /** Probability of a live face at the crop scale of the model, 0–1. */
  model: number;
  /** The same at a narrower crop: a flat copy rarely deceives both. */
  narrowCrop: number;
  /** Periodic energy of a screen's pixel grid or of moiré, 0 (none) – 1 (strong). */
  moire: number;
  /** Overexposed highlights on the skin, 0–1. */
  specular: number;
  /** Narrowness of the colour gamut, typical of prints and screens, 0–1. */
  gamut: number;
  /** Straight edges of a screen or sheet around the face, 0–1. */
  frameEdges: number;
  /** Width of the face relative to the image. */
  faceToFrame: number;
}

/** Evaluation of the actions of an active check. */
export interface ActiveLiveness {
  challengeId: string;
  /** Actions in the requested order. */
  actions: ActionOutcome[];
  /** A turn of the head that was not requested at that point. */
  unexpected: LivenessAction | null;
  frames: number;
  facelessFrames: number;
  /** Index of the frame that determines score, parts and quality and is used for comparisons. */
  bestFrame: number | null;
  /** Passive score of that frame, 0–100. */
  passiveScore: number | null;
  /** Minimum cosine of any frame with that one. */
  continuity: number | null;
}

export interface LivenessResult {
  method: 'passive' | 'active';
  /** Null for a passive check. */
  active: ActiveLiveness | null;
  /** 0–100, higher is more likely a live person in front of the camera; null without a face. */
  score: number | null;
  parts: LivenessParts | null;
  /** Points that each part deducted from the score of the model, which explain the score. */
  deductions: Partial<Record<keyof LivenessParts, number>>;
  face: DetectedFace | null;
  faces: DetectedFace[];
  rotation: Rotation;
  quality: FaceQuality | null;
  thresholds: { decline: number; review: number };
  /** Data set on which the thresholds were measured. */
  measuredOn: string;
  risks: Risk[];
  status: Verdict;
  models: ModelUse[];
}

/** How far an image is the same picture as each of others, −1–1; null where no face was found. */
export interface CaptureComparison {
  correlations: (number | null)[];
}

/** An evaluated selfie with the embedding of its face; the embedding is stored only in sealed form. */
export interface LivenessAnalysis {
  result: LivenessResult;
  embedding: number[] | null;
}

export interface MatchedImage {
  /** Every face found, the largest first. */
  faces: DetectedFace[];
  /** The face that was compared. */
  face: DetectedFace | null;
  rotation: Rotation;
  quality: FaceQuality | null;
}

export interface FaceMatchResult {
  /** 0–100, 50 at the threshold; null if one image has no face. */
  score: number | null;
  /** Cosine of the two embeddings, −1–1. */
  similarity: number | null;
  /** How far the two images are the same picture, −1–1; null if one image has no face. */
  captureCorrelation: number | null;
  match: boolean;
  /** Cosine from which two faces match; `reviewThreshold`: from which the check goes to review. */
  threshold: number;
  reviewThreshold: number;
  /** Share of different people who would reach the threshold, and the data set on which it was measured. */
  falseMatchRate: number;
  measuredOn: string;
  userImage: MatchedImage;
  refImage: MatchedImage;
  risks: Risk[];
  status: Verdict;
  models: ModelUse[];
}

/** An embedding for search and comparison: 512 values of unit length; null without a face. */
export interface EmbeddingResult {
  embedding: number[] | null;
  image: MatchedImage;
  models: ModelUse[];
}

export interface AgeResult {
  /** Years; null without a face, as are interval and error. */
  age: number | null;
  interval: AgeEstimate['interval'] | null;
  /** Error of the model for the age band of the estimate, in years. */
  meanAbsoluteError: number | null;
  errorByAge: AgeBand[];
  measuredOn: string;
  minimumAge: number | null;
  /** Null if no minimum was requested, or no face was found. */
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
  /** Id of the indexed face. */
  id: string;
  name: string | null;
  externalId: string | null;
  /** The session of a selfie; null for a face that was indexed on its own. */
  sessionId: string | null;
  list: FaceList;
  /** Cosine of the two embeddings, −1–1. */
  similarity: number;
}

export interface FaceSearchResult {
  /** Best match first; empty if no face reaches the threshold, or the image has no face. */
  matches: FaceSearchMatch[];
  lists: FaceList[];
  topK: number;
  /** Number of faces compared. */
  gallerySize: number;
  /** Minimum cosine of a match. */
  threshold: number;
  /** Expected number of strangers among the matches of one search, and the probability of at least one. */
  expectedFalseHits: number;
  falsePositiveIdentificationRate: number;
  /** Data set on which both were measured. */
  measuredOn: string;
  face: DetectedFace | null;
  faces: DetectedFace[];
  rotation: Rotation;
  quality: FaceQuality | null;
  risks: Risk[];
  status: Verdict;
  models: ModelUse[];
}
