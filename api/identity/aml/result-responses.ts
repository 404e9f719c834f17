import { z } from 'zod';
import { hitSchema } from './screening-responses';
import { resultFields } from '../checks/result-parts';

export const amlResultSchema = z
  .object({
    ...resultFields,
    match: z.boolean(),
    score: z.number().meta({ description: 'Score of the best hit that counts, 0–100.' }),
    hits: z.array(hitSchema),
    thresholds: z.object({
      review: z.number(),
      decline: z
        .number()
        .nullable()
        .meta({ description: 'Score from which the session is declined; null if no score declines it.' }),
    }),
    listsSearched: z.array(
      z.object({ list: z.string(), version: z.string(), ageHours: z.number().int(), stale: z.boolean() }),
    ),
  })
  .meta({ id: 'AmlResult', description: 'Result of screening the person against the watch lists.' });
