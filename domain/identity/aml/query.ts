import type { EntityType, Gender } from './entry';

/** Who or what is asked about. */
export interface ScreeningQuery {
  fullName: string;
  entityType: EntityType | 'any';
  /** YYYY-MM-DD, or as much of it as is known */
  dateOfBirth?: string | undefined;
  /** alpha-2 */
  nationality?: string | undefined;
  /** alpha-2 of residence or registration */
  country?: string | undefined;
  documentNumber?: string | undefined;
  gender?: Gender | undefined;
}

/** One reason of a score. `effect` is in points of 0–100; the effects of all parts add up to the score. */
export interface Explanation {
  part: 'name' | 'alias' | 'date_of_birth' | 'country' | 'gender' | 'document' | 'weak_alias' | 'limits';
  /** how much the part can do, 0–1 */
  weight: number;
  queryValue: string | null;
  listValue: string | null;
  effect: number;
}
