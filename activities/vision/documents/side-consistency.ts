import type { DocumentResult, FieldName } from '../../../domain/identity/documents/result';
import { cosineSimilarity } from '../faces/embedding';
import type { Embedding } from '../faces/embedding';
import type { DetectedZone } from './mrz-reader';
import type { AssessedSide } from './side';

/**
 * Portraits less alike than this are of two people. Far below the threshold of a match: prints, holograms and photographs
 * of documents take likeness away, and an honest holder must not be told to have sent two documents.
 */
const DIFFERENT_PERSON_THRESHOLD = 0.08;

/** Portraits as alike as this are one picture taken twice. */
const SAME_PORTRAIT_THRESHOLD = 0.6;

/** Embeddings shorter than this are of no face seen well enough to tell people apart. */
const MIN_MAGNITUDE = 3.3;

const listReliableEmbeddings = (sides: readonly AssessedSide[]): Embedding[] =>
  sides.flatMap(({ faceEmbeddings }) => faceEmbeddings).filter(({ magnitude }) => magnitude >= MIN_MAGNITUDE);

const showsTwoPeople = (portraits: readonly Embedding[]): boolean =>
  portraits.some((one, index) =>
    portraits.slice(index + 1).some((other) => cosineSimilarity(one.values, other.values) < DIFFERENT_PERSON_THRESHOLD),
  );

/** Two zones that verify and name different documents. */
function zonesDiffer(zones: readonly { zone: DetectedZone }[]): boolean {
  const [first, ...others] = zones.map(({ zone: { parsed } }) => parsed).filter(({ valid }) => valid);
  return others.some(({ fields }) => fields.documentNumber !== first?.fields.documentNumber);
}

/** What tells one holder's document from another's; a single one of them may be a misprint or a misread. */
const IDENTIFYING_FIELDS: readonly FieldName[] = ['documentNumber', 'lastName', 'firstName', 'dateOfBirth'];
const MIN_CONTRADICTIONS = 2;

/** The front's print contradicts zone or barcode of the other side in more than one telling field. */
function sidesContradict({ fields }: Pick<DocumentResult, 'fields'>): boolean {
  const contradictedFields = IDENTIFYING_FIELDS.filter((name) => {
    const machine = fields.find((field) => field.name === name && field.source !== 'visual');
    const printed = fields.find((field) => field.name === name && field.source === 'visual');
    return machine?.agrees === false && printed !== undefined && printed.side !== machine.side;
  });
  return contradictedFields.length >= MIN_CONTRADICTIONS;
}

/** Whether the images show two different documents: by their zones, their portraits, or print against the other side. */
export const showsTwoDocuments = (
  sides: readonly AssessedSide[],
  zones: readonly { zone: DetectedZone }[],
  facts: Pick<DocumentResult, 'fields'>,
): boolean => zonesDiffer(zones) || showsTwoPeople(listReliableEmbeddings(sides)) || sidesContradict(facts);

/** Whether the back is the front once more: the same portrait on both, and no zone or barcode on either. */
export function isSameSideTwice(
  sides: readonly AssessedSide[],
  { mrz, barcode }: Pick<DocumentResult, 'mrz' | 'barcode'>,
): boolean {
  const [front, back] = sides.map(({ faceEmbeddings: [portrait] }) => portrait);
  if (front === undefined || back === undefined || mrz !== null || barcode !== null) return false;
  return cosineSimilarity(front.values, back.values) > SAME_PORTRAIT_THRESHOLD;
}
