import { z } from 'zod';
import { DATABASE_FIELDS } from '../../../domain/identity/database-validation/validate';
import { resultFields } from '../checks/result-parts';

export const databaseResultSchema = z
  .object({
    ...resultFields,
    matchType: z.enum(['full', 'partial', 'none']).nullable().meta({
      description:
        '`full`: every field that was given agrees with a register. Null where no provider covers the country.',
    }),
    provider: z
      .enum(['register', 'national_number'])
      .nullable()
      .meta({ description: "The organisation's own register, or the rules of the country's numbers." }),
    validations: z
      .array(
        z.object({
          field: z.enum(DATABASE_FIELDS),
          status: z.enum(['match', 'partial', 'mismatch', 'not_checked']),
        }),
      )
      .meta({ description: 'Every field that was given.' }),
    numberStatus: z
      .enum(['valid', 'invalid', 'unsupported'])
      .meta({ description: 'What the number alone says: a valid one may still be nobody’s.' }),
    dataAt: z.iso.datetime().nullable().meta({ description: 'When the register was imported.' }),
  })
  .meta({ id: 'DatabaseResult', description: 'Whether what is claimed of a person agrees with a register.' });
