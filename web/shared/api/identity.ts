import { queryOptions } from '@tanstack/react-query';
import { VouchClient } from '../../../clients/typescript/src/client';
import type { operations } from '../../../clients/typescript/src/generated/schema';
import { clientOptions } from './transport';

/** The identity verification API (`/v1`) with the cookie of this browser. */
export const identity = new VouchClient(clientOptions);

/**
 * A query whose key is the operation and its parameters, so that a mutation can invalidate it by the operation.
 *
 * @example
 * useQuery(identityQuery('getSession', [id], (options) => identity.getSession(id, options)));
 */
export const identityQuery = <T>(
  operation: keyof operations,
  parameters: readonly unknown[],
  read: (options: { signal: AbortSignal }) => Promise<T>,
) => queryOptions({ queryKey: ['identity', operation, ...parameters], queryFn: ({ signal }) => read({ signal }) });
