import { randomBytes } from 'node:crypto';
import { DAY_MS, DAY_SECONDS } from '../../../domain/durations';
import type { UserRecord } from '../../../models/platform/access/user';
import type { Platform } from '../platform';

const DEVICE_DAYS = 90;
const PURPOSE = 'known-device';
const NONCE_BYTES = 16;

/** Lifetime of a device token, which every sign-in renews. */
export const DEVICE_TOKEN_SECONDS = DEVICE_DAYS * DAY_SECONDS;

/** A device on which a user has signed in before. */
export interface KnownDevice {
  /** Identifies the device; random. */
  id: string;
  userId: string;
  issuedAt: Date;
}

type Context = Pick<Platform, 'masterKey' | 'clock'>;

/**
 * Issues the token that shows later that the user has signed in on this device before. It allows nothing but attempts to
 * sign in as this user while the account is attacked from elsewhere.
 * @param device the known device of this sign-in, which keeps its id
 */
export function issueDeviceToken({ masterKey, clock }: Context, userId: string, device: KnownDevice | null): string {
  const id = device?.userId === userId ? device.id : randomBytes(NONCE_BYTES).toString('base64url');
  const content = [userId, id, clock.now().getTime().toString(36)].join('.');
  return `${content}.${Buffer.from(masterKey.authenticate(content, PURPOSE)).toString('base64url')}`;
}

/** The device of a token that this installation has issued; null for any other text or after its lifetime. */
export function readDeviceToken({ masterKey, clock }: Context, token: string | null): KnownDevice | null {
  const [userId, id, issued, code, ...rest] = (token ?? '').split('.');
  if (userId === undefined || id === undefined || issued === undefined || code === undefined || rest.length > 0)
    return null;
  const content = [userId, id, issued].join('.');
  const decoded = Buffer.from(code, 'base64url');
  // Decoding ignores what it does not know: only the exact text is accepted.
  if (decoded.toString('base64url') !== code) return null;
  if (!masterKey.isAuthentic(decoded.toString('utf8'), content, PURPOSE)) return null;
  const issuedAt = new Date(Number.parseInt(issued, 36));
  return clock.now().getTime() - issuedAt.getTime() > DEVICE_DAYS * DAY_MS ? null : { id, userId, issuedAt };
}

/** Whether a device is known to a user: not before the user's password was last reset. */
export const isKnownDevice = (device: KnownDevice, user: UserRecord): boolean =>
  device.userId === user._id && !(user.devicesTrustedFrom instanceof Date && device.issuedAt < user.devicesTrustedFrom);
