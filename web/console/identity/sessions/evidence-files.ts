import type { Session } from './session';
import type { EvidenceFile } from './session-file';

const SIDE_FIELDS = { front: 'frontImage', back: 'backImage' } as const;

/** The picture of one side of a document. */
export const findSideFile = (
  evidence: readonly EvidenceFile[],
  checkId: string | undefined,
  side: keyof typeof SIDE_FIELDS,
): EvidenceFile | undefined => evidence.find((file) => file.checkId === checkId && file.field === SIDE_FIELDS[side]);

/** Fields of the pictures of a face, in the checks that have one. */
const FACE_FIELDS: readonly string[] = ['image', 'frames', 'userImage'];

/** The pictures in which the face was examined; several for movements. */
export function findFaceFiles(evidence: readonly EvidenceFile[], results: Session['results']): EvidenceFile[] {
  const checkId = results.liveness?.checkId ?? results.faceMatch?.checkId;
  return evidence.filter((file) => file.checkId === checkId && FACE_FIELDS.includes(file.field));
}
