import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { sha256Hex } from './secrets';

/** Parameters that every authenticator app supports. */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Codes of one period before and after the current one are accepted, for clocks that differ. */
const WINDOW = 1;
const SECRET_BYTES = 20;
const RECOVERY_CODE_BYTES = 15;
const RECOVERY_CODE_COUNT = 10;

/** A new secret in base32. */
export const generateTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

const createTotp = (secret: string, labels: { issuer?: string; label?: string } = {}): TOTP =>
  new TOTP({ ...PARAMETERS, ...labels, secret: Secret.fromBase32(secret) });

/** The address with which authenticator apps take over a secret, usually as a QR code. */
export const buildTotpUri = (secret: string, issuer: string, label: string): string =>
  createTotp(secret, { issuer, label }).toString();

/** The code of a secret at an instant. */
export const generateTotpCode = (secret: string, at: Date): string =>
  createTotp(secret).generate({ timestamp: at.getTime() });

/** The period (of 30 seconds since 1970) in which a code is valid, compared in constant time; null for a wrong code. */
export function findTotpPeriod(secret: string, code: string, at: Date): number | null {
  const totp = createTotp(secret);
  const timestamp = at.getTime();
  const delta = totp.validate({ token: code.replace(/\s/g, ''), timestamp, window: WINDOW });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
}

/** New recovery codes of 120 random bits each, such as `k7qd-2mzx-…`. */
export const generateRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODE_COUNT }, () => {
    const text = new Secret({ buffer: new Uint8Array(randomBytes(RECOVERY_CODE_BYTES)).buffer }).base32.toLowerCase();
    return (text.match(/.{4}/g) ?? []).join('-');
  });

/** The stored form of a recovery code. Without a key, since 120 random bits cannot be guessed from it. */
export const hashRecoveryCode = (code: string): string => sha256Hex(code.toLowerCase().replace(/[^a-z2-7]/g, ''));
