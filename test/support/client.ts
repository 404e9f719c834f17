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

/** Sends an HTTP request as a client of the service would. */
export const call = (method: string, path: string, { api, ...options }: RequestOptions = {}): Promise<ApiResponse> =>
  sendRequest(api ?? getApiUrl(), method, path, options);
