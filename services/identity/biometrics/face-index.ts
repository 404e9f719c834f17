import { createBlindIndex } from '../../platform/evidence/blind-index';
import type { Platform, Scope } from '../../platform/platform';

/** Purpose of the blind index of externalIds of faces. */
export const FACE_INDEX_PURPOSE = 'faces';

/** The blind index of a face's externalId. */
export const computeReferenceKey = async (
  platform: Platform,
  scope: Scope,
  externalId: string | null,
): Promise<string | null> =>
  externalId === null ? null : (await createBlindIndex(platform, scope, FACE_INDEX_PURPOSE)).compute(externalId);

/** The stored forms of an externalId. */
export const listReferenceKeys = async (platform: Platform, scope: Scope, externalId: string): Promise<string[]> =>
  (await createBlindIndex(platform, scope, FACE_INDEX_PURPOSE)).list(externalId);
