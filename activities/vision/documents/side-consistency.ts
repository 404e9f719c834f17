import { sidesContradict } from '../../../domain/identity/documents/side-agreement';
import type { DocumentResult } from '../../../domain/identity/documents/result';
import { cosineSimilarity } from '../faces/embedding';
import type { Embedding } from '../faces/embedding';
import type { DetectedZone } from './mrz-reader';
import type { AssessedSide } from './side';
import { filterReadableLines } from './visual-zone';

/**
 * Portraits with a lower similarity show two people. Far below the match threshold, because prints, holograms and
 * photographs of documents reduce similarity, and a genuine document must not be reported as two.
 */
const DIFFERENT_PERSON_THRESHOLD = 0.08;

/** Portraits with a higher similarity are the same print photographed twice. */
const SAME_PORTRAIT_THRESHOLD = 0.6;

/** Embeddings with a smaller magnitude are unreliable for comparing people. */
const MIN_MAGNITUDE = 3.3;

const listReliableEmbeddings = (sides: readonly AssessedSide[]): Embedding[] =>
  sides.flatMap(({ faceEmbeddings }) => faceEmbeddings).filter(({ magnitude }) => magnitude >= MIN_MAGNITUDE);

const showsTwoPeople = (portraits: readonly Embedding[]): boolean =>
  portraits.some((one, index) =>
    portraits.slice(index + 1).some((other) => cosineSimilarity(one.values, other.values) < DIFFERENT_PERSON_THRESHOLD),
  );

/** Whether two valid zones state different document numbers. */
function zonesDiffer(zones: readonly { zone: DetectedZone }[]): boolean {
  const [first, ...others] = zones.map(({ zone: { parsed } }) => parsed).filter(({ valid }) => valid);
  return others.some(({ fields }) => fields.documentNumber !== first?.fields.documentNumber);
}

/** Whether the images show two different documents, by their zones, portraits or fields. */
export const showsTwoDocuments = (
  sides: readonly AssessedSide[],
  zones: readonly { zone: DetectedZone }[],
  facts: Pick<DocumentResult, 'fields'>,
): boolean =>
  zonesDiffer(zones) ||
  showsTwoPeople(listReliableEmbeddings(sides)) ||
  sidesContradict(
    facts.fields,
    sides.map(({ side, page }) => ({ side, lines: filterReadableLines(page.read).map(({ text }) => text) })),
  );

/** Whether both images show the front: the same portrait on both, and no zone or barcode. */
export function isSameSideTwice(
  sides: readonly AssessedSide[],
  { mrz, barcode }: Pick<DocumentResult, 'mrz' | 'barcode'>,
): boolean {
  const [front, back] = sides.map(({ faceEmbeddings: [portrait] }) => portrait);
  if (front === undefined || back === undefined || mrz !== null || barcode !== null) return false;
  return cosineSimilarity(front.values, back.values) > SAME_PORTRAIT_THRESHOLD;
}
