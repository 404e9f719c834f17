import type { ClientOptions } from '../../../clients/typescript/src/transport';

/** Request header that proves that a page of this origin sent the request. */
const CSRF_HEADER = 'x-csrf-token';

let csrfToken: string | null = null;

/** Sets the token of the browser session, which every later request sends; null after signing out. */
export function setCsrfToken(token: string | null): void {
  csrfToken = token;
}

const sendWithToken: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  if (csrfToken !== null) headers.set(CSRF_HEADER, csrfToken);
  return fetch(input, { ...init, headers });
};

/** The cookie of the browser session is the credential. */
export const clientOptions: ClientOptions = { baseUrl: window.location.origin, fetch: sendWithToken };
