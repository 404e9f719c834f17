import { call } from '../client';
import type { ApiResponse } from '../client';
import { getCreatedId } from './client';
import type { BusinessClient } from './client';

/** Client, customer and product of drafts, set when the suite starts. */
interface Drafter {
  client: BusinessClient;
  customerId: number;
  serviceId: number;
}

/** @param action begins with a slash, such as `/issue` */
export const buildDraftPath = (id: number, action = ''): string => `/api/invoices/${id}${action}`;

/** Creates and issues drafts of two units of a service. */
export function createDraftHelpers(drafter: () => Drafter) {
  const buildDraftBody = (over: object = {}) => {
    const { customerId, serviceId } = drafter();
    return { customerId, draft: true, lines: [{ productId: serviceId, quantity: 2 }], ...over };
  };
  return {
    buildDraftBody,
    createDraft: async (over: object = {}): Promise<number> =>
      getCreatedId(await drafter().client.post('/api/invoices', buildDraftBody(over))),
    issueDraft: (id: number, headers: Record<string, string> = {}): Promise<ApiResponse> =>
      call('POST', buildDraftPath(id, '/issue'), { token: drafter().client.token, headers }),
  };
}
