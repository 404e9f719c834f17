import { queryOptions } from '@tanstack/react-query';
import { VouchBusinessClient } from '../../../clients/typescript/src/business-client';
import type { operations } from '../../../clients/typescript/src/generated/business-schema';
import { clientOptions } from './transport';

/** The business management API (`/api`) with the cookie of this browser. */
export const business = new VouchBusinessClient(clientOptions);

/**
 * A query whose key is the operation and its parameters, so that a mutation can invalidate it by the operation.
 *
 * @example
 * useQuery(businessQuery('getInvoice', [id], (options) => business.getInvoice(id, options)));
 */
export const businessQuery = <T>(
  operation: keyof operations,
  parameters: readonly unknown[],
  read: (options: { signal: AbortSignal }) => Promise<T>,
) => queryOptions({ queryKey: ['business', operation, ...parameters], queryFn: ({ signal }) => read({ signal }) });
