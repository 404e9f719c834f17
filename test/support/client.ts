import { readFileSync } from 'node:fs';
import { sendRequest } from '../../bench/load/http';
import type { ApiResponse, RequestOptions as LoadRequestOptions } from '../../bench/load/http';

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

/**
 * Sends an HTTP request as a client of the service would. Submissions to the identity API wait for their result as long as
 * the service permits, unless the test says how long: no test depends on how fast the machine is.
 */
export function call(method: string, path: string, { api, ...options }: RequestOptions = {}): Promise<ApiResponse> {
  const waits = method === 'POST' && path.startsWith('/v1/') && !asksToWait(path, options.headers);
  const headers = waits ? { prefer: 'wait=60', ...options.headers } : options.headers;
  return sendRequest(api ?? getApiUrl(), method, path, headers === undefined ? options : { ...options, headers });
}
