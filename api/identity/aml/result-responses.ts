import { z } from 'zod';
import { hitSchema } from './screening-responses';
import { resultFields } from '../checks/result-parts';

export const amlResultSchema = z
  .object({
    ...resultFields,
    match: z.boolean(),
    score: z.number().meta({ description: 'Of the best hit that counts, 0–100.' }),
    hits: z.array(hitSchema),
    thresholds: z.object({
      review: z.number(),
      decline: z.number().nullable().meta({ description: 'Null where no score declines.' }),
    }),
    listsSearched: z.array(
      z.object({ list: z.string(), version: z.string(), ageHours: z.number().int(), stale: z.boolean() }),
    ),
  })
  .meta({ id: 'AmlResult', description: 'What the watch lists say of the person.' });
