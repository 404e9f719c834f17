import type { SignInClient } from '../../services/platform/access/password-check';
import type { RouteContext } from './route';

/** Header of `/api` with the token by which a device is known. */
export const DEVICE_HEADER = 'X-Device-Token';

export const DEVICE_HEADER_DESCRIPTION =
  'Token that an earlier sign-in on this device returned in the same header. Sign-in from a known device is possible while failed attempts from elsewhere delay others.';

/** Where a sign-in comes from. */
export const readSignInClient = (context: RouteContext, deviceToken: string | null): SignInClient => ({
  address: context.address,
  device: context.header('user-agent') ?? null,
  deviceToken,
});
