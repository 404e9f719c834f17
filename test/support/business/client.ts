import { createTenant } from '../tenant';
import type { Tenant } from '../tenant';
import { getApiUrl, call } from '../client';
import type { ApiResponse, RequestOptions } from '../client';

/** A signed-in business API client of a new organisation. */
export interface BusinessClient {
  tenant: Tenant;
  token: string;
  get(path: string, options?: RequestOptions): Promise<ApiResponse>;
  post(path: string, json: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
  /** A raw body. */
  postText(path: string, text: string, headers?: Record<string, string>): Promise<ApiResponse>;
  put(path: string, json: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
  delete(path: string): Promise<ApiResponse>;
}

interface LoginData {
  token: string;
  refreshToken: string;
  expiresIn: number;
  user: Record<string, unknown>;
}

/** Tokens and user of a login or refresh; the status is not checked. */
export const parseLoginData = (response: ApiResponse): LoginData => response.body['data'] as LoginData;

/** @throws Error unless the login succeeds */
export async function signIn(credentials: { email: string; password: string }): Promise<LoginData> {
  const response = await call('POST', '/api/auth/login', { json: credentials });
  if (response.status !== 200) throw new Error(`Login returned ${response.status}: ${response.bytes.toString('utf8')}`);
  return parseLoginData(response);
}

/** A client of any user who has signed in, such as one with fewer permissions. */
export function createClientWithToken(tenant: Tenant, token: string): BusinessClient {
  return {
    tenant,
    token,
    get: (path, options = {}) => call('GET', path, { ...options, token }),
    post: (path, json, headers = {}) => call('POST', path, { json, headers, token }),
    postText: async (path, text, headers = {}) => {
      const response = await fetch(`${getApiUrl()}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
        body: text,
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      const body = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
      return { status: response.status, headers: response.headers, body, bytes };
    },
    put: (path, json, headers = {}) => call('PUT', path, { json, headers, token }),
    delete: (path) => call('DELETE', path, { token }),
  };
}

/** The administrator of a new organisation. */
export async function createBusinessClient(name = 'Tenant'): Promise<BusinessClient> {
  const tenant = await createTenant(name);
  return createClientWithToken(tenant, (await signIn(tenant.admin)).token);
}

/** The record in a response; the status is not checked. */
export const getData = (response: ApiResponse): Record<string, unknown> =>
  response.body['data'] as Record<string, unknown>;

/** The records of one page of a list; the status is not checked. */
export const getRows = (response: ApiResponse): Record<string, unknown>[] =>
  response.body['data'] as Record<string, unknown>[];

/** @throws Error unless the record was created (201) */
export const getCreatedId = (response: ApiResponse): number => {
  if (response.status !== 201)
    throw new Error(`expected 201, got ${response.status}: ${response.bytes.toString('utf8')}`);
  return Number(getData(response)['id']);
};

let names = 0;
const uniqueName = (word: string): string => `${word} ${(names += 1)}`;

/** Creates a customer with a name of its own. @returns its id */
export const addCustomer = async (client: BusinessClient, fields: object = {}): Promise<number> =>
  getCreatedId(await client.post('/api/customers', { name: uniqueName('Customer'), ...fields }));

/** Creates goods for 10, none of which are on hand. @returns its id */
export const addProduct = async (client: BusinessClient, fields: object = {}): Promise<number> =>
  getCreatedId(await client.post('/api/products', { name: uniqueName('Product'), price: 10, ...fields }));

/** A product that can always be sold. */
export const addService = (client: BusinessClient, fields: object = {}): Promise<number> =>
  addProduct(client, { type: 'service', ...fields });
