import { call } from '../client';
import type { Answer } from '../client';
import { idOf } from './client';
import type { BusinessClient } from './client';

/** Who keeps drafts, for whom and of what: known once the suite has begun. */
interface Drafter {
  client: BusinessClient;
  customerId: number;
  serviceId: number;
}

export const draftPath = (id: number, action = ''): string => `/api/invoices/${id}${action}`;

export const refusal = (answer: Answer) => [answer.status, answer.body['code']];

/** Keeping and issuing drafts of two of a service. */
export function drafting(drafter: () => Drafter) {
  const draftBody = (over: object = {}) => {
    const { customerId, serviceId } = drafter();
    return { customerId, draft: true, lines: [{ productId: serviceId, quantity: 2 }], ...over };
  };
  return {
    draftBody,
    keep: async (over: object = {}): Promise<number> =>
      idOf(await drafter().client.post('/api/invoices', draftBody(over))),
    issue: (id: number, headers: Record<string, string> = {}): Promise<Answer> =>
      call('POST', draftPath(id, '/issue'), { token: drafter().client.token, headers }),
  };
}
