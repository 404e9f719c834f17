import { z } from 'zod';
import { captureStateSchema } from '../../../api/identity/capture/capture-responses';
import { getOrigin } from '../browser';
import { call } from '../client';
import type { ApiResponse, RequestOptions } from '../client';
import { createSession } from './identity';

export type CaptureState = z.infer<typeof captureStateSchema>;

/** The token in the fragment of a link to the capture page. */
export const parseLinkToken = (url: string | null): string => {
  const token = new URL(url ?? '').hash.slice(1);
  expect(token).toMatch(/^[\w-]{43}$/);
  return token;
};

/** A browser that has opened the capture page. */
export interface CapturePage {
  state: CaptureState;
  /** Headers that the page sends with every request. */
  headers: Record<string, string>;
}

/** Exchanges the token of a link as the capture page does. */
export const exchangeToken = (token: string, headers: Record<string, string> = {}): Promise<ApiResponse> =>
  call('POST', '/v1/capture/exchange', { headers: { origin: getOrigin(), ...headers }, json: { token } });

/** Opens the capture page by a link. */
export async function openCapture(url: string | null): Promise<CapturePage> {
  const response = await exchangeToken(parseLinkToken(url));
  const { csrfToken, state } = z.object({ csrfToken: z.string(), state: captureStateSchema }).parse(response.body);
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { state, headers: { origin: getOrigin(), cookie, 'x-csrf-token': csrfToken } };
}

/** Creates a session and opens the capture page by its link. */
export async function createCapture(
  key: string,
  session: object = {},
): Promise<{ id: string; url: string | null; page: CapturePage }> {
  const { id, url } = await createSession(key, session);
  return { id, url, page: await openCapture(url) };
}

/** Creates another link to the capture page of a session. */
export const createLink = (id: string, key: string): Promise<ApiResponse> =>
  call('POST', `/v1/sessions/${id}/links`, { key });

/** Status and error code of a response. */
export const readRefusal = ({ status, body }: ApiResponse): [number, unknown] => [
  status,
  (body['error'] as { code: string } | undefined)?.code,
];

/** Sends a request as the page of a browser does. */
export const callAsPage = (
  { headers }: Pick<CapturePage, 'headers'>,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<ApiResponse> => call(method, path, { ...options, headers: { ...headers, ...options.headers } });

const stateBodySchema = z.object({ ok: z.literal(true), state: captureStateSchema });

/**
 * The state in a response of the capture page. Fails the test for another status and for a state that differs from its
 * schema.
 */
export const parseState = ({ status, body }: ApiResponse, expected = 200): CaptureState => {
  expect([status, body]).toEqual([expected, expect.objectContaining({ ok: true })]);
  return stateBodySchema.parse({ ok: body['ok'], state: body['state'] }).state;
};

/** Reads the text to consent to, and consents. */
export async function consent(page: CapturePage, language = 'en'): Promise<CaptureState> {
  const { body } = await callAsPage(page, 'GET', `/v1/capture/consent?language=${language}`);
  const { version } = z.object({ version: z.string() }).parse(body['consent']);
  return parseState(await callAsPage(page, 'POST', '/v1/capture/consent', { json: { version, language } }));
}

/** Reads server-sent events of a page until one fulfils a condition. @returns the data of that event */
export async function followUntil(
  { headers }: CapturePage,
  isAwaited: (event: string, data: Record<string, unknown>) => boolean,
): Promise<Record<string, unknown>> {
  const ended = new AbortController();
  const response = await fetch(`${getOrigin()}/v1/capture/events`, { headers, signal: ended.signal });
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  let text = '';
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      for (const [, event, json] of text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)) {
        const data = JSON.parse(json ?? '{}') as Record<string, unknown>;
        if (isAwaited(event ?? '', data)) return data;
      }
    }
  } finally {
    ended.abort();
  }
  throw new Error(`The stream ended: ${text}`);
}
