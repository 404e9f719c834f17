import { readFileSync } from 'node:fs';
import { sendRequest } from '../../bench/load/http';
import type { ApiResponse, RequestOptions as LoadRequestOptions } from '../../bench/load/http';
import { pollUntilFound } from './poll';

export type { ApiResponse };

/** URL of the API under test: VOUCH_TEST_API, else the one in the run.json named by VOUCH_TEST_STACK. */
export function getApiUrl(): string {
  const direct = process.env['VOUCH_TEST_API'];
  if (direct !== undefined) return direct;
  const file = process.env['VOUCH_TEST_STACK'];
  if (file === undefined)
    throw new Error('This test requires a running stack (VOUCH_TEST_STACK): start it with npm test.');
  const { api } = JSON.parse(readFileSync(file, 'utf8')) as { api: string };
  return api;
}

export interface RequestOptions extends LoadRequestOptions {
  /** URL of an API process other than that of the stack. */
  api?: string;
}

const asksToWait = (path: string, headers: Record<string, string> = {}): boolean =>
  /[?&]wait=/.test(path) || Object.keys(headers).some((name) => name.toLowerCase() === 'prefer');

/** `Location` of a record that the service finishes after it has answered with 202. */
const RECORD = /^\/v1\/(checks|kyb|registers|biometrics\/face-search\/index|erasures)\/\w+$/;
const UNFINISHED: readonly unknown[] = ['processing', 'importing', 'erasing'];

const isUnfinished = (body: Record<string, unknown>): boolean =>
  Object.values(body).some(
    (record) =>
      typeof record === 'object' && record !== null && 'status' in record && UNFINISHED.includes(record.status),
  );

/** Whether the service refused to wait longer for a file that it renders. */
const isRendering = ({ status, bytes }: ApiResponse): boolean =>
  status === 503 && /"code":"(pdf|rendering)_not_ready"/.test(bytes.toString('utf8'));

/** The response with the finished record, as it would have been sent if the record had been finished in time. */
async function awaitRecord(
  accepted: ApiResponse,
  request: { api: string; method: string; path: string },
  { key, token, headers }: LoadRequestOptions,
): Promise<ApiResponse> {
  const credential = { ...(key === undefined ? {} : { key }), ...(token === undefined ? {} : { token }) };
  const read = (): Promise<ApiResponse> =>
    sendRequest(request.api, 'GET', request.path, { ...credential, headers: { ...headers, prefer: 'wait=60' } });
  const found = await pollUntilFound(async () => {
    const response = await read();
    return response.status === 200 && isUnfinished(response.body) ? undefined : response;
  });
  // The credential may permit only to create such records.
  if (found.status !== 200) return accepted;
  const status = request.method === 'POST' ? 201 : 200;
  return { ...found, status, headers: accepted.headers, body: { ...accepted.body, ...found.body } };
}

/**
 * Sends an HTTP request as a client of the service would. Unless the test says how long to wait, the response has the
 * result, however slow the machine is: submissions to the identity API wait as long as the service permits, a record that
 * is not finished by then (202) is read until it is, and a request for a file that is still rendered is sent again.
 */
export async function call(
  method: string,
  path: string,
  { api = getApiUrl(), ...options }: RequestOptions = {},
): Promise<ApiResponse> {
  if (asksToWait(path, options.headers)) return sendRequest(api, method, path, options);
  const submits = method === 'POST' && path.startsWith('/v1/');
  const headers = submits ? { prefer: 'wait=60', ...options.headers } : options.headers;
  const request = headers === undefined ? options : { ...options, headers };
  let response = await sendRequest(api, method, path, request);
  while (isRendering(response)) response = await sendRequest(api, method, path, request);
  const location = response.status === 202 ? (response.headers.get('location') ?? '') : '';
  return RECORD.test(location) ? awaitRecord(response, { api, method, path: location }, options) : response;
}
