import { z } from 'zod';
import { COMPANY_STATUSES, KYB_PROVIDERS, KYB_STATUSES } from '../../../domain/identity/kyb/company';
import { isLei } from '../../../domain/identity/kyb/lei';
import { compactNumber } from '../../../domain/identity/registers/rows';
import { COUNTRY_CODE, countryCode } from '../country';
import { orNull } from '../or-null';
import { PARTY_ROLES } from '../../../domain/identity/kyb/screening';
import { hitSchema } from '../aml/screening-responses';
import { amlResultSchema } from '../aml/result-responses';
import { riskSchema } from '../checks/risk-responses';
import { trimmedText } from '../../http/text';

const text = z.string().nullable();
const provider = z.enum(KYB_PROVIDERS).meta({
  description:
    'Source of the data. `register`: the register that the organisation imported; `sandbox`: the register of test keys.',
});

const country = countryCode.meta({
  ...COUNTRY_CODE,
  type: 'string',
  description: 'Country of the company, ISO 3166-1 alpha-2 or alpha-3.',
  example: 'GB',
});

/** Letters and digits, between which {@link compactNumber} ignores separators. */
const REGISTER_NUMBER = '^[-\\s./_]*[A-Za-z0-9][-A-Za-z0-9\\s./_]*$';

const registerNumber = (description: string, example: string) =>
  z
    .string()
    .min(1)
    .max(50)
    .transform(compactNumber)
    .refine((value) => /^[A-Z0-9]+$/.test(value), { error: 'accepts letters and digits' })
    .optional()
    .meta({ type: 'string', minLength: 1, maxLength: 50, pattern: REGISTER_NUMBER, description, example });

/** Request body of `POST /v1/kyb`. */
export const kybRequest = z.strictObject({
  companyName: trimmedText(300).meta({ example: 'Harbour Lights Ltd' }),
  country: country.optional(),
  registrationNumber: registerNumber('Number of the company in the register of its country.', '01234567'),
  vatNumber: registerNumber('VAT number, with or without the prefix of its state.', 'GB123456789'),
  lei: z
    .string()
    .transform(compactNumber)
    .refine(isLei, { error: 'accepts a legal entity identifier (ISO 17442) of 20 characters with valid check digits' })
    .optional()
    .meta({
      type: 'string',
      pattern: '^[A-Z0-9]{18}[0-9]{2}$',
      description: 'Legal entity identifier, ISO 17442; the check digits are verified.',
      example: '529900T8BM49AURSDO55',
    }),
  monitoring: z.boolean().optional().meta({
    description:
      'Whether to screen the company, its officers, owners and parents again whenever a relevant list entry changes.',
  }),
});

const companyAddressSchema = z
  .object({ lines: z.array(z.string()), city: text, region: text, postalCode: text, country: text })
  .meta({ id: 'CompanyAddress' });

const partialDateSchema = z
  .object({ year: z.number().int(), month: z.number().int().nullable(), day: z.number().int().nullable() })
  .meta({ id: 'PartialDate', description: 'A date as registers publish it, often without the day.' });

const companySchema = z
  .object({
    legalName: text.meta({
      description: 'Legal name; null if the register confirms a number without disclosing the name.',
    }),
    otherNames: z.array(z.string()),
    country: text,
    registrationNumber: text,
    vatNumber: text,
    lei: text,
    leiStatus: text.meta({ description: 'Status of the LEI registration, such as ISSUED or LAPSED.' }),
    status: z.enum(COMPANY_STATUSES),
    legalForm: orNull(
      z.object({ code: text.meta({ description: 'ISO 20275 (ELF) code, if the register states one.' }), name: text }),
    ),
    incorporationDate: text,
    dissolutionDate: text,
    registeredAddress: orNull(companyAddressSchema),
    headquarters: orNull(companyAddressSchema),
  })
  .meta({ id: 'Company' });

const partyKind = z.enum(['person', 'company', 'unknown']);

const officerSchema = z
  .object({
    name: z.string(),
    kind: partyKind,
    role: text,
    appointedOn: text,
    resignedOn: text,
    nationality: text,
    country: text,
    dateOfBirth: orNull(partialDateSchema),
  })
  .meta({ id: 'Officer' });

const ownerSchema = z
  .object({
    name: z.string(),
    kind: partyKind,
    sharesPercent: z
      .object({ from: z.number(), to: z.number() })
      .nullable()
      .meta({ description: 'Share of ownership in percent; a range if the register publishes ranges.' }),
    control: z.array(z.string()).meta({ description: "Kinds of control, in the register's terms." }),
    registrationNumber: text,
    country: text,
    nationality: text,
    dateOfBirth: orNull(partialDateSchema),
    notifiedOn: text,
    ceasedOn: text,
  })
  .meta({ id: 'Owner' });

const parentCompanySchema = z
  .object({
    lei: text,
    legalName: text,
    country: text,
    exceptions: z
      .array(z.string())
      .meta({ description: 'Reported reasons for the absence of a parent, such as NATURAL_PERSONS.' }),
  })
  .meta({ id: 'ParentCompany' });

const companyMatchSchema = z
  .object({
    provider,
    score: z.number().meta({ description: 'Score of the match, 0–100.' }),
    confirmed: z.boolean().meta({ description: 'Whether a requested number belongs to this company.' }),
    contradicted: z.array(z.enum(['lei', 'registrationNumber', 'vatNumber'])),
    company: companySchema,
  })
  .meta({ id: 'CompanyMatch' });

export const kybSourceSchema = z
  .object({
    provider,
    status: z.enum(['pending', 'answered', 'unavailable']),
    outcome: z.enum(['matched', 'several', 'none']).nullable(),
    reason: text.meta({ description: 'Error code if the register was unavailable.' }),
    at: z.iso.datetime().nullable(),
    copy: orNull(
      z
        .object({
          version: z.string(),
          publishedAt: z.iso.datetime(),
          ageHours: z.number().int().meta({ description: 'Age of the copy in hours when it was queried.' }),
        })
        .meta({ id: 'RegisterCopy' }),
    ).meta({ description: 'Imported copy that was queried; null if the register itself was queried.' }),
    dataAt: text.meta({ description: 'Time of the register’s last update of the company, if stated.' }),
  })
  .meta({ id: 'KybSource' });

const partyHitSchema = hitSchema
  .extend({
    id: text.meta({
      description:
        'Id by which the hit is reviewed; null in checks of version 0.1.0, whose hits cannot be reviewed individually.',
    }),
  })
  .meta({ id: 'PartyHit', description: 'An entry of a watch list that may be the party.' });

export const kybScreeningSchema = z
  .object({
    status: z.enum(['completed', 'unavailable']).meta({
      description:
        'Status of the screening. `unavailable`: the watch lists could not be searched, which does not mean that there is no match.',
    }),
    reason: text.meta({ description: 'Error code if the watch lists could not be searched.' }),
    match: orNull(z.boolean()).meta({ description: 'Whether any party has a hit that counts.' }),
    parties: z.array(
      z
        .object({
          roles: z.array(z.enum(PARTY_ROLES)),
          name: z.string(),
          kind: partyKind,
          match: z.boolean(),
          score: z.number().meta({ description: 'Score of the best hit that counts, 0–100.' }),
          hits: z.array(partyHitSchema),
          monitorId: text.meta({ description: 'Monitor that screens the party again; null if it is not monitored.' }),
        })
        .meta({ id: 'ScreenedParty' }),
    ),
    listsSearched: amlResultSchema.shape.listsSearched,
    at: z.iso.datetime(),
  })
  .meta({ id: 'KybScreening', description: 'Result of screening the company and its people against the watch lists.' });

export const kybCheckSchema = z
  .object({
    id: z.string(),
    mode: z.enum(['live', 'test']),
    status: z.enum(KYB_STATUSES).meta({
      description:
        'Status of the check. `found`: one company matches without contradiction. `review`: several companies match, or a risk requires a review. `not_found`: every queried register has responded, and none contains the company. `failed`: no register could be queried.',
    }),
    query: z.object({
      companyName: z.string(),
      country: text,
      registrationNumber: text,
      vatNumber: text,
      lei: text,
    }),
    provider: orNull(provider).meta({ description: 'Register of the company; the other registers complete its data.' }),
    dataAt: text,
    company: orNull(companySchema),
    officers: z.array(officerSchema),
    owners: z.array(ownerSchema),
    parents: z.object({ direct: orNull(parentCompanySchema), ultimate: orNull(parentCompanySchema) }),
    aml: orNull(kybScreeningSchema).meta({
      description: 'Watch-list screening of the company; null if no company was found.',
    }),
    matches: z.array(companyMatchSchema).meta({ description: 'Matching companies, best first.' }),
    sources: z.array(kybSourceSchema).meta({ description: 'All queried registers.' }),
    risks: z.array(riskSchema),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    createdAt: z.iso.datetime(),
    completedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'KybCheck' });
