import { z } from 'zod';
import { DATABASE_FIELDS } from '../../../domain/identity/database-validation/validate';
import { resultFields } from '../checks/result-parts';

export const databaseResultSchema = z
  .object({
    ...resultFields,
    matchType: z.enum(['full', 'partial', 'none']).nullable().meta({
      description:
        'Extent of the match. `full`: every given field matches a register. Null if no provider covers the country.',
    }),
    provider: z.enum(['register', 'national_number']).nullable().meta({
      description: "Source of the validation: the organisation's own register, or the rules for the country's numbers.",
    }),
    validations: z
      .array(
        z.object({
          field: z.enum(DATABASE_FIELDS),
          status: z.enum(['match', 'partial', 'mismatch', 'not_checked']),
        }),
      )
      .meta({ description: 'Verdicts on all given fields.' }),
    numberStatus: z.enum(['valid', 'invalid', 'unsupported']).meta({
      description: 'Verdict on the number by its structure and check digits: a valid number may be unassigned.',
    }),
    dataAt: z.iso.datetime().nullable().meta({ description: 'Time of the register’s import.' }),
  })
  .meta({ id: 'DatabaseResult', description: 'Result of validating claims about a person.' });
