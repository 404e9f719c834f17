import { z } from 'zod';
import { buildIdPattern, isId } from '../../lib/ids';
import type { SignInClient } from '../../services/platform/access/password-check';
import { MIN_PASSWORD_LENGTH } from '../../services/platform/access/password-policy';
import type { RouteContext } from './route';
import { requiredText } from './text';

export const PASSWORD_RULES = `At least ${MIN_PASSWORD_LENGTH} characters, neither known from breaches nor easy to guess from words, dates, patterns or what is known about the user.`;

export const NEW_PASSWORD_DESCRIPTION = `New password. ${PASSWORD_RULES}`;

/** Header of `/api` with the token by which a device is known. */
export const DEVICE_HEADER = 'X-Device-Token';

export const DEVICE_HEADER_DESCRIPTION =
  'Token that an earlier sign-in on this device returned in the same header. Sign-in from a known device is possible while failed attempts from elsewhere delay others.';

/** The optional code of the second factor in the body of a sign-in. */
export const signInCodeField = requiredText(64).optional().meta({
  description:
    'Current code of the second factor, or a recovery code; needed by users who have one (401 `second_factor_required`). A valid code is accepted also while failed attempts delay others.',
});

/** The optional choice between organisations in the body of a sign-in. */
export const signInOrganisationField = requiredText(63).optional().meta({
  description:
    'Slug of the organisation; needed only where several have an account with this email address and password (409 `organisation_required`). Without it, the password is tried for every account of the address, and counts as a failed attempt if it is wrong for one.',
});

/** Where a sign-in comes from. */
export const readSignInClient = (context: RouteContext, deviceToken: string | null): SignInClient => ({
  address: context.address,
  device: context.header('user-agent') ?? null,
  deviceToken,
});

/** Id of a session in either API. A malformed id results in 404 like an unknown one. */
export const signInSessionId = z
  .string()
  .refine((value) => isId('fam', value) || isId('bws', value), 'is not the id of a session')
  .meta({ pattern: buildIdPattern('fam', 'bws') });

/** The fields of a session other than its times. */
export const signInSessionFields = {
  id: z.string(),
  api: z.enum(['business', 'identity']).meta({ description: 'The API in which the user signed in.' }),
  address: z.string().nullable().meta({ description: 'IP address of the sign-in.' }),
  device: z.string().nullable().meta({ description: 'User-Agent of the sign-in.' }),
  current: z.boolean().meta({ description: 'Whether it is the session of this request.' }),
};

export const EXAMPLE_SIGN_IN_SESSION = {
  id: 'bws_01JQZ4R8W3M6N9P2T5V8X1Y4Z7',
  api: 'identity',
  address: '203.0.113.7',
  device: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  current: true,
  createdAt: '2026-11-21T10:00:00.000Z',
  lastUsedAt: '2026-11-21T11:30:00.000Z',
  expiresAt: '2026-11-21T22:00:00.000Z',
} as const;
