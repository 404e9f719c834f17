import type { ModelUse } from '../../../domain/identity/biometrics/result';
import type { TextPiece } from '../../../domain/identity/documents/poa/layout';
import { parseProof } from '../../../domain/identity/documents/poa/parse';
import type { AddressProofResult } from '../../../domain/identity/documents/poa/result';
import { PROOF_LIMITS, assessProofRisks } from '../../../domain/identity/documents/poa/risks';
import { isForeignScript } from '../../../domain/identity/documents/poa/scripts';
import { restoreSpacing } from '../../../domain/identity/documents/poa/spacing';
import { computeVerdict } from '../../../domain/identity/checks/risks';
import { scorePageSharpness } from '../documents/quality';
import type { LetterPage } from '../decoding/protocol';
import type { Raster } from '../imaging/raster';
import type { Networks } from '../inference/networks';
import type { VisionTasks } from '../inference/tasks';
import { listModelUses } from '../manifest';
import { SCRIPT_TIME_MS, readOtherScript } from '../scripts/read-script';
import type { TextLine } from '../text/detector';
import { detectPageText, LETTER_TEXT, readText } from '../text/page';

/** Lines with a lower confidence are stamps, logos and noise. */
const MIN_READABLE_CONFIDENCE = 0.55;

interface RecognisedLetterPage {
  pieces: TextPiece[];
  /** 0–100 */
  sharpness: number;
  /** The recogniser of another script, if one was used. */
  scriptModel: ModelUse | null;
}

/** The slant of a page: the median of its lines by length, because the direction of a short line is imprecise. */
function computePageAngle(lines: readonly TextLine[]): number {
  const sorted = lines.toSorted((a, b) => a.angle - b.angle);
  const half = lines.reduce((sum, { length }) => sum + length, 0) / 2;
  let sum = 0;
  for (const { angle, length } of sorted) {
    sum += length;
    if (sum >= half) return angle;
  }
  return 0;
}

/** Recognises the lines of a page and levels slanted ones. */
async function recognisePage(
  networks: Networks,
  raster: Raster,
  index: number,
  deadline: number,
): Promise<RecognisedLetterPage> {
  const detected = await detectPageText(networks, raster, LETTER_TEXT);
  const page = await readText(networks, detected);
  const sharpness = scorePageSharpness(page.image, page.lines);
  // Blurred text is of no other script.
  const other =
    sharpness < PROOF_LIMITS.minSharpness ? null : await readOtherScript(networks, detected, page, deadline);
  const found = other ?? page;
  // Levels the lines of a letter photographed at an angle, by rotation about the corner of the image.
  const angle = computePageAngle(found.read);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const pieces: TextPiece[] = [];
  for (const line of found.read) {
    const { text, confidence } = line;
    const [x, y] = [line.x * cos + line.y * sin, line.y * cos - line.x * sin];
    const [halfLength, halfHeight] = [line.length / 2, line.height / 2];
    pieces.push({
      text: restoreSpacing(text),
      page: index,
      left: x - halfLength,
      right: x + halfLength,
      top: y - halfHeight,
      bottom: y + halfHeight,
      confidence,
    });
  }
  return { pieces, sharpness, scriptModel: other?.model ?? null };
}

const readTextLayer = ({ runs }: LetterPage, page: number): TextPiece[] =>
  runs.map(({ text, left, top, right, bottom }) => ({ text, page, left, top, right, bottom, confidence: 1 }));

const countCharacters = (text: string): number => text.match(/[\p{L}\d]/gu)?.length ?? 0;

/** Mean confidence, weighted by the number of characters. */
function computeConfidence(pieces: readonly TextPiece[]): number {
  const characters = pieces.reduce((sum, { text }) => sum + countCharacters(text), 0);
  const sum = pieces.reduce((total, { text, confidence }) => total + countCharacters(text) * confidence, 0);
  return characters === 0 ? 0 : Math.round((sum / characters) * 1000) / 1000;
}

/** Reads a proof of address from the text layer of its pages, or from their images by text recognition. */
export async function readAddressProof(
  networks: Networks,
  { pages, days }: VisionTasks['readAddressProof']['input'],
): Promise<AddressProofResult> {
  const usesRecognition = pages.some(({ raster }) => raster !== null);
  const allPieces: TextPiece[] = [];
  let sharpness: number | null = null;
  const deadline = performance.now() + SCRIPT_TIME_MS;
  const scriptModels = new Map<string, ModelUse>();
  for (const [index, page] of pages.entries()) {
    if (page.raster === null) allPieces.push(...readTextLayer(page, index));
    else {
      const recognised = await recognisePage(networks, page.raster, index, deadline);
      allPieces.push(...recognised.pieces);
      if (recognised.scriptModel !== null) scriptModels.set(recognised.scriptModel.name, recognised.scriptModel);
      // The first page has the address.
      sharpness ??= recognised.sharpness;
    }
  }
  const pieces = allPieces.filter(({ confidence }) => confidence >= MIN_READABLE_CONFIDENCE);
  const proof = { ...parseProof(pieces, days.latest), confidence: computeConfidence(allPieces) };
  const characters = pieces.reduce((sum, { text }) => sum + countCharacters(text), 0);
  const foreignScript = isForeignScript(pieces.map(({ text }) => text).join('\n'));
  const risks = assessProofRisks(proof, { characters, lines: allPieces.length, sharpness, foreignScript }, days);
  return {
    ...proof,
    source: usesRecognition ? 'recognition' : 'text_layer',
    pages: pages.length,
    risks,
    status: computeVerdict(risks),
    thresholds: { ...PROOF_LIMITS },
    models: usesRecognition
      ? [...listModelUses('text_detector', 'text_recogniser', 'text_head', 'text_dictionary'), ...scriptModels.values()]
      : [],
  };
}
