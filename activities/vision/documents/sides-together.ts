import type { DocumentResult, FieldName } from '../../../domain/identity/documents/result';
import { cosine } from '../faces/embedding';
import type { Embedding } from '../faces/embedding';
import type { FoundZone } from './mrz-reader';
import type { JudgedSide } from './side';

/**
 * Portraits less alike than this are of two people. Far below the threshold of a match: prints, holograms and photographs
 * of documents take likeness away, and an honest holder must not be told to have sent two documents.
 */
const OTHER_PERSON = 0.08;

/** Portraits as alike as this are one picture taken twice. */
const SAME_PORTRAIT = 0.6;

/** Embeddings shorter than this are of no face seen well enough to tell people apart. */
const WELL_SEEN = 3.3;

const seen = (sides: readonly JudgedSide[]): Embedding[] =>
  sides.flatMap(({ likenesses }) => likenesses).filter(({ magnitude }) => magnitude >= WELL_SEEN);

const showsTwoPeople = (portraits: readonly Embedding[]): boolean =>
  portraits.some((one, index) =>
    portraits.slice(index + 1).some((other) => cosine(one.values, other.values) < OTHER_PERSON),
  );

/** Two zones that verify and name different documents. */
function zonesDiffer(zones: readonly { zone: FoundZone }[]): boolean {
  const [first, ...others] = zones.map(({ zone: { parsed } }) => parsed).filter(({ valid }) => valid);
  return others.some(({ fields }) => fields.documentNumber !== first?.fields.documentNumber);
}

/** What tells one holder's document from another's; a single one of them may be a misprint or a misread. */
const TELLING: readonly FieldName[] = ['documentNumber', 'lastName', 'firstName', 'dateOfBirth'];
const CONTRADICTIONS = 2;

/** The front's print contradicts zone or barcode of the other side in more than one telling field. */
function sidesContradict({ fields }: Pick<DocumentResult, 'fields'>): boolean {
  const against = TELLING.filter((name) => {
    const machine = fields.find((field) => field.name === name && field.source !== 'visual');
    const printed = fields.find((field) => field.name === name && field.source === 'visual');
    return machine?.agrees === false && printed !== undefined && printed.side !== machine.side;
  });
  return against.length >= CONTRADICTIONS;
}

/** Whether the images show two different documents: by their zones, their portraits, or print against the other side. */
export const showTwoDocuments = (
  sides: readonly JudgedSide[],
  zones: readonly { zone: FoundZone }[],
  facts: Pick<DocumentResult, 'fields'>,
): boolean => zonesDiffer(zones) || showsTwoPeople(seen(sides)) || sidesContradict(facts);

/** Whether the back is the front once more: the same portrait on both, and no zone or barcode on either. */
export function sentTwice(
  sides: readonly JudgedSide[],
  { mrz, barcode }: Pick<DocumentResult, 'mrz' | 'barcode'>,
): boolean {
  const [front, back] = sides.map(({ likenesses: [portrait] }) => portrait);
  if (front === undefined || back === undefined || mrz !== null || barcode !== null) return false;
  return cosine(front.values, back.values) > SAME_PORTRAIT;
}
