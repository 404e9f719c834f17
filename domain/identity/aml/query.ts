import type { EntityType, Gender } from './entry';

/** The subject to screen. */
export interface ScreeningQuery {
  fullName: string;
  entityType: EntityType | 'any';
  /** YYYY-MM-DD, or the part of it that is known. */
  dateOfBirth?: string | undefined;
  /** Country code, alpha-2. */
  nationality?: string | undefined;
  /** Country of residence or registration, alpha-2. */
  country?: string | undefined;
  documentNumber?: string | undefined;
  gender?: Gender | undefined;
}

/** One component of a score. `effect` is in points of 0–100; the effects of all components add up to the score. */
export interface Explanation {
  part: 'name' | 'alias' | 'date_of_birth' | 'country' | 'gender' | 'document' | 'weak_alias' | 'limits';
  /** how much the part can do, 0–1 */
  weight: number;
  queryValue: string | null;
  listValue: string | null;
  effect: number;
}
