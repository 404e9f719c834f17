import { invalidFieldError } from '../../../domain/errors';
import { findPasswordWeakness } from '../../../lib/crypto/password-strength';
import { Organisation } from '../../../models/platform/access/organisation';
import type { OrganisationRecord } from '../../../models/platform/access/organisation';

export const MIN_PASSWORD_LENGTH = 12;

/** Shorter words would make every password that contains them weak. */
const MIN_KNOWN_LENGTH = 3;

/** Whose password it is; nothing of it may make the password. */
interface PasswordOwner {
  organisationId: string;
  email: string;
  name: string;
}

async function listKnownTexts({ organisationId, email, name }: PasswordOwner): Promise<string[]> {
  const organisation = await Organisation.findById(organisationId).lean<OrganisationRecord>();
  const texts = [email, name, organisation?.name ?? '', organisation?.slug ?? '', 'vouch'];
  const words = texts.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]);
  return [...new Set(words)].filter((word) => word.length >= MIN_KNOWN_LENGTH);
}

/**
 * Requires a password that is neither short, nor known from breaches, nor easy to guess from what is known about the user.
 * @throws AppError 400 naming the field
 */
export async function requireStrongPassword(password: string, owner: PasswordOwner, field = 'password'): Promise<void> {
  if (password.length < MIN_PASSWORD_LENGTH)
    throw invalidFieldError(field, `accepts at least ${MIN_PASSWORD_LENGTH} characters`);
  const weakness = await findPasswordWeakness(password, await listKnownTexts(owner));
  if (weakness !== null) throw invalidFieldError(field, `is too easy to guess. ${weakness}`.trim());
}
