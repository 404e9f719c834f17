import { createBlindIndex } from '../../platform/evidence/blind-index';
import type { Platform, Scope } from '../../platform/platform';

const PURPOSE = 'faces';

/** The blind index of a face's externalId. */
export const computeReferenceKey = async (
  platform: Platform,
  scope: Scope,
  externalId: string | null,
): Promise<string | null> =>
  externalId === null ? null : (await createBlindIndex(platform, scope, PURPOSE)).compute(externalId);

/** The stored forms of an externalId. */
export const listReferenceKeys = async (platform: Platform, scope: Scope, externalId: string): Promise<string[]> =>
  (await createBlindIndex(platform, scope, PURPOSE)).list(externalId);
