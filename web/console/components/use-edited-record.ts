import { useQuery } from '@tanstack/react-query';
import type { CallOptions } from '../../../clients/typescript/src/calls';
import type { operations } from '../../../clients/typescript/src/generated/business-schema';
import type { operations as identityOperations } from '../../../clients/typescript/src/generated/schema';
import { readVersion } from '../../shared/api/versions';

/** Key of the records that editors read; a change of other records does not reach them. */
export const EDITED = 'edited';

/**
 * The record that an editor changes, with its ETag. It is read once, when the editor is opened: a later version never
 * replaces what the user has typed.
 *
 * @param id undefined for a new record, which is not read
 */
export const useEditedRecord = <T>(
  operation: keyof operations | keyof identityOperations,
  id: string | undefined,
  read: (id: string, options: CallOptions) => Promise<{ data: T }>,
) =>
  useQuery({
    queryKey: [EDITED, operation, id],
    queryFn: ({ signal }) => readVersion((options) => read(id ?? '', options), { signal }),
    enabled: id !== undefined,
    staleTime: Infinity,
    gcTime: 0,
  });
