import { AppError } from '../../../domain/errors';
import type { UserRecord } from '../../../models/platform/access/user';

/** Why a signed-in user can only complete the account. */
export const ACCOUNT_RESTRICTIONS = ['password_change_required', 'second_factor_enrolment_required'] as const;

export type AccountRestriction = (typeof ACCOUNT_RESTRICTIONS)[number];

const ERRORS: Readonly<Record<AccountRestriction, () => AppError>> = {
  password_change_required: () =>
    new AppError('password_change_required', 403, 'The password is a temporary one: change it first.'),
  second_factor_enrolment_required: () =>
    new AppError(
      'second_factor_enrolment_required',
      403,
      'The organisation requires a second factor: enrol one first, then continue.',
    ),
};

/** What a user must do before anything else; null for a complete account. */
export function findRestriction(user: UserRecord): AccountRestriction | null {
  if (user.temporaryPasswordUntil instanceof Date) return 'password_change_required';
  const enrolled = user.secondFactorAt instanceof Date;
  return user.secondFactorRequired && !enrolled ? 'second_factor_enrolment_required' : null;
}

/** 403 that says what the user must do first. */
export const restrictedError = (restriction: AccountRestriction): AppError => ERRORS[restriction]();
