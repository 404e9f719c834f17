import { z } from 'zod';
import { unauthorizedError } from '../../domain/errors';
import { getUserAccount } from '../../services/platform/access/users';
import type { SignedIn } from '../../services/platform/access/second-factor';
import type { RouteContext } from './route';
import { requiredText } from './text';

/** A code of an authenticator app or a recovery code. */
export const codeField = requiredText(64).meta({
  description: 'Current code of the authenticator app (six digits), or a recovery code. Each is accepted once.',
});

export const currentPasswordField = requiredText(1024);

/** The fields of both APIs' responses. */
export const SECOND_FACTOR_FIELDS = {
  required: z.boolean().meta({ description: 'Whether the organisation requires a second factor of every user.' }),
  recoveryCodesLeft: z.number().int().meta({ description: 'Number of recovery codes that were not used yet.' }),
};

export const enrolmentSchema = z.object({
  secret: z.string().meta({ description: 'Secret for the authenticator app, in base32; returned only once.' }),
  uri: z.string().meta({ description: 'The same as an `otpauth:` address, for a QR code.' }),
});

export const recoverySchema = z.object({
  recoveryCodes: z
    .array(z.string())
    .meta({ description: 'Codes for sign-ins without the authenticator app; each works once. Returned only once.' }),
});

export const EXAMPLE_ENROLMENT = {
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  uri: 'otpauth://totp/Vouch:alex%40example.com?issuer=Vouch&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
};

export const EXAMPLE_RECOVERY = { recoveryCodes: ['k7qd-2mzx-4hpa-w3vn-6jtb-r5ec'] };

export const SECOND_FACTOR_TEXTS = {
  begin: `Creates the secret of an authenticator app (TOTP: SHA-1, six digits, 30 seconds). The second factor is asked for once a code has confirmed it.`,
  confirm: 'Confirms the second factor with a code of the authenticator app, and ends every other session of the user.',
  remove: 'Removes the second factor. An organisation that requires one refuses with `second_factor_mandatory`.',
} as const;

/** The signed-in user of a request. @throws AppError 401 for an API key */
export async function requireSignedIn({ credential: { userId, sessionId } }: RouteContext): Promise<SignedIn> {
  if (userId === null || sessionId === null) throw unauthorizedError('Only a signed-in user has a password.');
  return { user: await getUserAccount(userId), sessionId };
}
