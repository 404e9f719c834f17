import type { Hit } from '../../../domain/identity/aml/screening';

/** The sealed part of a hit. */
export interface FoundHit extends Pick<Hit, 'entry' | 'score' | 'matchedName' | 'explanation'> {
  id: string;
  list: string;
  listVersion: string;
}

/** Cipher context under which the hits of a screening are sealed. */
export const buildHitsContext = (screeningId: string): string => `aml-hits.${screeningId}`;
