import type { ClientOptions } from '../../../clients/typescript/src/transport';
import { repeatWithSameKey } from './unanswered';

/** Request header that proves that a page of this origin sent the request. */
const CSRF_HEADER = 'x-csrf-token';

let csrfToken: string | null = null;

/** Sets the token of the browser session, which every later request sends; null after signing out. */
export function setCsrfToken(token: string | null): void {
  csrfToken = token;
}

/** The headers of a request with the token of the browser session. */
export function addCsrfToken(init: HeadersInit | undefined): Headers {
  const headers = new Headers(init);
  if (csrfToken !== null) headers.set(CSRF_HEADER, csrfToken);
  return headers;
}

const sendWithToken = (input: RequestInfo | URL, init: RequestInit): Promise<Response> =>
  fetch(input, { ...init, headers: addCsrfToken(init.headers) });

/** The cookie of the browser session is the credential. */
export const clientOptions: ClientOptions = {
  baseUrl: window.location.origin,
  fetch: repeatWithSameKey(sendWithToken),
};
