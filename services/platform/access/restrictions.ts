import { AppError } from '../../../domain/errors';
import type { UserRecord } from '../../../models/platform/access/user';

/** Why a signed-in user can only complete the account. */
export type AccountRestriction = 'password_change_required';

const ERRORS: Readonly<Record<AccountRestriction, () => AppError>> = {
  password_change_required: () =>
    new AppError('password_change_required', 403, 'The password is a temporary one: change it first.'),
};

/** What a user must do before anything else; null for a complete account. */
export const findRestriction = ({ temporaryPasswordUntil }: UserRecord): AccountRestriction | null =>
  temporaryPasswordUntil instanceof Date ? 'password_change_required' : null;

export const restrictedError = (restriction: AccountRestriction): AppError => ERRORS[restriction]();
