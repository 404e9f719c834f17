import { z } from 'zod';
import { isCalendarDate } from '../../../domain/identity/registers/rows';
import { checkUpload } from '../../../services/identity/checks/uploads';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import {
  respondWithCheck,
  CHECK_ERRORS,
  buildCheckReplies,
  IMAGE_REQUIREMENTS,
  SANDBOX_HEADER,
} from '../checks/check-replies';
import { rejectFutureBirthDate } from '../birth-date';
import { COUNTRY_CODE, countryCode } from '../country';
import { waitQuery } from '../waiting';
import { trimmedText } from '../../http/text';

const name = trimmedText(200).optional();

const databaseValidationBody = z.strictObject({
  country: countryCode.meta({
    ...COUNTRY_CODE,
    type: 'string',
    description: 'Country that issued the number, ISO 3166-1 alpha-2 or alpha-3.',
    example: 'FI',
  }),
  idNumber: trimmedText(64).meta({ example: '131052-308T' }),
  firstName: name,
  lastName: name,
  dateOfBirth: rejectFutureBirthDate(z.string().refine(isCalendarDate, { error: 'accepts a date YYYY-MM-DD' }))
    .optional()
    .meta({
      type: 'string',
      format: 'date',
      description: 'Date of birth, not in the future.',
      example: '1952-10-13',
    }),
  sex: z.enum(['F', 'M']).optional(),
  sessionId: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .meta({ description: 'Session to whose database step the check belongs; without it the check is standalone.' }),
});

const validate = defineRoute({
  method: 'post',
  path: '/v1/documents/database-validation',
  operationId: 'validateAgainstDatabase',
  summary: 'Validate a person against a database',
  description: [
    "Compares claims about a person with the organisation's own register (`POST /v1/registers/persons/import`) or, if it does not cover the country, with the rules for the country's national numbers: structure, check digits, and the date of birth and sex that a number encodes. `full` requires a register; a valid number alone is `partial`. A country that neither covers results in `database_not_available`, never in a pass.",
    '`image` is stored with the check as evidence. Registers contain no photographs, so that it is `not_checked`; compare faces with `POST /v1/biometrics/face-match`.',
    'A session with the feature `database` runs this check automatically if its document contains a national number.',
  ].join('\n\n'),
  tag: 'Documents',
  permission: 'documents:write',
  idempotent: true,
  headers: SANDBOX_HEADER,
  query: waitQuery,
  body: databaseValidationBody,
  bodyExample: {
    country: 'FI',
    idNumber: '131052-308T',
    firstName: 'Liisa',
    lastName: 'Virtanen',
    dateOfBirth: '1952-10-13',
  },
  files: {
    image: {
      required: false,
      description: `A photograph of the person. ${IMAGE_REQUIREMENTS}`,
    },
  },
  replies: buildCheckReplies('database_validation'),
  errors: CHECK_ERRORS,
  handle(context, { query, body, files }) {
    const { sessionId, country, idNumber, firstName, lastName, dateOfBirth, sex } = body;
    const image = files['image'];
    return respondWithCheck(context, query, {
      kind: 'database_validation',
      sessionId,
      uploads: image === undefined ? [] : [checkUpload('image', image.body)],
      details: {
        country,
        idNumber,
        firstName: firstName ?? null,
        lastName: lastName ?? null,
        dateOfBirth: dateOfBirth ?? null,
        sex: sex ?? null,
      },
    });
  },
});

export const databaseRoutes: readonly Route[] = [validate];
