import { z } from 'zod';

/** What every DELETE of the identity API answers; what is left of the record may follow in fields of its own. */
export const deletionFields = {
  id: z.string().meta({ description: 'Id of the record.' }),
  deleted: z.literal(true).meta({ description: 'The record can no longer be used.' }),
};

/** Values of {@link deletionFields}. */
export const buildDeletionBody = (id: string) => ({ id, deleted: true }) as const;
