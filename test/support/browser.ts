import { call } from './client';
import type { ApiResponse, RequestOptions } from './client';
import { readStack } from './stack';

/** The origin of the API's own pages. */
export const getOrigin = (): string => new URL(readStack().api).origin;

/** The code of an error of the identity API; undefined for a success. */
export const getErrorCode = ({ body }: ApiResponse): unknown => (body['error'] as { code: string } | undefined)?.code;

export interface BrowserSignIn {
  response: ApiResponse;
  headers: Record<string, string>;
}

/** Signs in as a page of the API's origin does, and returns the headers of its later requests. */
export async function signInFromBrowser(
  user: { email: string; password: string },
  json: object = {},
  options: RequestOptions = {},
): Promise<BrowserSignIn> {
  const from = { origin: getOrigin(), ...options.headers };
  const response = await call('POST', '/v1/auth/login', { ...options, headers: from, json: { ...user, ...json } });
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { response, headers: { ...from, cookie, 'x-csrf-token': String(response.body['csrfToken']) } };
}
