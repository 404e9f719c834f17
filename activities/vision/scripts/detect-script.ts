import type { ImagePyramid } from '../imaging/image-pyramid';
import { turnRaster } from '../imaging/raster';
import type { Raster } from '../imaging/raster';
import type { TextLine } from '../text/detector';
import { extractLineStrip } from '../text/recogniser';
import { SCRIPT_LANGUAGES } from './languages';
import type { ScriptLanguage } from './languages';
import { ScriptRecogniser } from './tesseract';

/** Height of the strip of a line, whose descenders and marks are beyond the detected height. */
const STRIP_HEIGHT = 48;
const HEIGHT_MARGIN = 1.15;
/** Added to the length of a line, in its heights: detection may cut the first and last character. */
const LENGTH_MARGIN = 0.3;

/** Extracts a line as input of tesseract. */
export function extractScriptStrip(image: ImagePyramid, line: TextLine): Raster {
  const length = line.length + LENGTH_MARGIN * line.height;
  const height = line.height * HEIGHT_MARGIN;
  const width = Math.max(STRIP_HEIGHT, Math.round((length / height) * STRIP_HEIGHT));
  return extractLineStrip(image, { ...line, length, height }, width, STRIP_HEIGHT);
}

/** Lines that are read to detect the script, and their maximum length in heights. */
const PROBES = 3;
const MAX_PROBE_LENGTH = 14;

/** Lines of medium length, of which the middle is read. */
function extractProbes(image: ImagePyramid, lines: readonly TextLine[]): Raster[] {
  const long = lines.filter(({ length, height }) => length > 4 * height);
  const chosen = (long.length >= PROBES ? long : lines).toSorted((a, b) => b.length - a.length).slice(0, PROBES);
  return chosen.map((line) =>
    extractScriptStrip(image, { ...line, length: Math.min(line.length, MAX_PROBE_LENGTH * line.height) }),
  );
}

/** How far the confidence exceeds that for other scripts: 0 as for those, 1 if certain. */
const scoreConfidence = (confidence: number, { foreignConfidence }: ScriptLanguage): number =>
  (100 * confidence - foreignConfidence) / (100 - foreignConfidence);

/** From the first score on, a script is confirmed by further lines; from the second one on, it is that of the page. */
const LIKELY_SCORE = 0.25;
export const MIN_SCRIPT_SCORE = 0.45;
/** From this score on, no other script is tried. */
const CERTAIN_SCORE = 0.65;

/** The score of a language for a page, whether the page is upside down for it. */
export interface ScriptScore {
  language: ScriptLanguage;
  inverted: boolean;
  score: number;
}

/** The better of both directions; further lines are read only if the first one is likely. */
async function scoreLanguage(
  recogniser: ScriptRecogniser,
  probes: readonly { upright: Raster; inverted: Raster }[],
): Promise<ScriptScore> {
  const { language } = recogniser;
  let best: ScriptScore = { language, inverted: false, score: -1 };
  for (const inverted of [false, true]) {
    let [sum, count] = [0, 0];
    for (const probe of probes) {
      const { confidence } = await recogniser.readLine(inverted ? probe.inverted : probe.upright);
      sum += scoreConfidence(confidence, language);
      count += 1;
      if (sum / count < LIKELY_SCORE) break;
    }
    const score = count === 0 ? -1 : sum / count;
    if (score > best.score) best = { language, inverted, score };
    if (best.score >= CERTAIN_SCORE) break;
  }
  return best;
}

/**
 * Detects the script of lines that the text recogniser cannot read, by the confidence of tesseract with the data of
 * each language, in both directions.
 *
 * @param deadline time of `performance.now()` by which it must be finished
 * @returns null if no script is certain enough
 * @throws ScriptTimeoutError
 */
export async function detectScript(
  image: ImagePyramid,
  lines: readonly TextLine[],
  deadline: number,
): Promise<ScriptScore | null> {
  const probes = extractProbes(image, lines).map((upright) => ({ upright, inverted: turnRaster(upright, 180) }));
  let best: ScriptScore | null = null;
  for (const language of SCRIPT_LANGUAGES) {
    // Languages of one script are all tried.
    if (best !== null && best.score >= CERTAIN_SCORE && best.language.script !== language.script) break;
    const recogniser = await ScriptRecogniser.open(language, deadline);
    try {
      const score = await scoreLanguage(recogniser, probes);
      if (best === null || score.score > best.score) best = score;
    } finally {
      await recogniser.close();
    }
  }
  return best !== null && best.score >= MIN_SCRIPT_SCORE ? best : null;
}
