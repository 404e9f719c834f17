/** Parts of a face that cannot be seen. */
export const COVERED_PARTS = ['eyes_closed', 'eyes_covered', 'mouth_covered'] as const;

export type CoveredPart = (typeof COVERED_PARTS)[number];

/** Measurements of an upright face of 112×112 pixels. */
export interface CoveringMeasures {
  /** Probability that the more open eye is open, 0–1. */
  eyesOpen: number;
  /** Luminance of the brighter eye region relative to the forehead. */
  eyeBrightness: number;
  /** Deviation of luminance around the mouth relative to its mean: lips, shadows and teeth have contours. */
  mouthContrast: number;
  /** Distance of the colours of forehead and chin in the plane of the two chroma channels, 0–255. */
  colourStep: number;
}

/**
 * Limits measured on 103 photographs and on drawn masks and glasses. Of the photographs one has sunglasses and one closed
 * eyes; no other is beyond a limit.
 */
export const COVERING_LIMITS = {
  closedEyes: 0.2,
  darkEyes: 0.3,
  /** Below it there is no mouth, whatever the colour. */
  evenMouth: 0.055,
  /** Below it together with a change of colour, as of a folded mask. */
  calmMouth: 0.13,
  colourStep: 22,
} as const;

/** The parts of a face that are covered or closed. */
export function findCoveredParts(measures: CoveringMeasures): CoveredPart[] {
  const { eyesOpen, eyeBrightness, mouthContrast, colourStep } = measures;
  const limits = COVERING_LIMITS;
  const parts: CoveredPart[] = [];
  if (eyeBrightness < limits.darkEyes) parts.push('eyes_covered');
  else if (eyesOpen < limits.closedEyes) parts.push('eyes_closed');
  const isMasked = mouthContrast < limits.calmMouth && colourStep > limits.colourStep;
  if (mouthContrast < limits.evenMouth || isMasked) parts.push('mouth_covered');
  return parts;
}
