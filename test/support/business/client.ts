import { createTenant } from '../tenant';
import type { Tenant } from '../tenant';
import { apiUrl, call } from '../client';
import type { Answer, RequestOptions } from '../client';

/** A signed-in client of a fresh organisation's business API. */
export interface BusinessClient {
  tenant: Tenant;
  token: string;
  get(path: string, options?: RequestOptions): Promise<Answer>;
  post(path: string, json: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** A body exactly as it is written. */
  postText(path: string, text: string, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, json: unknown, headers?: Record<string, string>): Promise<Answer>;
  delete(path: string): Promise<Answer>;
}

interface LoginData {
  token: string;
  refreshToken: string;
  expiresIn: number;
  user: Record<string, unknown>;
}

export const loginData = (answer: Answer): LoginData => answer.body['data'] as LoginData;

export async function signIn(credentials: { email: string; password: string }): Promise<LoginData> {
  const answer = await call('POST', '/api/auth/login', { json: credentials });
  if (answer.status !== 200) throw new Error(`login answered ${answer.status}: ${answer.bytes.toString('utf8')}`);
  return loginData(answer);
}

export function clientWith(tenant: Tenant, token: string): BusinessClient {
  return {
    tenant,
    token,
    get: (path, options = {}) => call('GET', path, { ...options, token }),
    post: (path, json, headers = {}) => call('POST', path, { json, headers, token }),
    postText: async (path, text, headers = {}) => {
      const response = await fetch(`${apiUrl()}${path}`, {
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

/** The administrator of a fresh organisation. */
export async function businessClient(name = 'Tenant'): Promise<BusinessClient> {
  const tenant = await createTenant(name);
  return clientWith(tenant, (await signIn(tenant.admin)).token);
}

export const dataOf = (answer: Answer): Record<string, unknown> => answer.body['data'] as Record<string, unknown>;
export const rowsOf = (answer: Answer): Record<string, unknown>[] => answer.body['data'] as Record<string, unknown>[];
export const idOf = (answer: Answer): number => {
  if (answer.status !== 201) throw new Error(`expected 201, got ${answer.status}: ${answer.bytes.toString('utf8')}`);
  return Number(dataOf(answer)['id']);
};

let names = 0;
const unique = (word: string): string => `${word} ${(names += 1)}`;

export const addCustomer = async (client: BusinessClient, fields: object = {}): Promise<number> =>
  idOf(await client.post('/api/customers', { name: unique('Customer'), ...fields }));

export const addProduct = async (client: BusinessClient, fields: object = {}): Promise<number> =>
  idOf(await client.post('/api/products', { name: unique('Product'), price: 10, ...fields }));

/** Something that can always be sold. */
export const addService = (client: BusinessClient, fields: object = {}): Promise<number> =>
  addProduct(client, { type: 'service', ...fields });
