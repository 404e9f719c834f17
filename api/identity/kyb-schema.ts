import { z } from 'zod';
import { COMPANY_STATUSES, KYB_PROVIDERS, KYB_STATUSES } from '../../domain/identity/kyb/company';
import type { SourceAnswer } from '../../domain/identity/kyb/conclusion';
import { isLei } from '../../domain/identity/kyb/lei';
import { compactNumber, countryCode } from '../../domain/identity/registers/rows';
import type { KybCheckRecord } from '../../models/identity/kyb-check';
import type { Reply } from '../route';
import { orNull } from './or-null';
import { riskSchema } from './risk-schema';

const text = z.string().nullable();
const provider = z.enum(KYB_PROVIDERS).meta({
  description: '`register` is the one the organisation imported itself; `sandbox` answers test keys.',
});

const country = z
  .string()
  .transform((value) => countryCode(value) ?? '')
  .refine((code) => code !== '', { error: 'accepts an ISO 3166-1 code of two or three letters' })
  .meta({ type: 'string', description: 'ISO 3166-1 alpha-2 or alpha-3.', example: 'GB' });

const number = (description: string, example: string) =>
  z
    .string()
    .min(1)
    .max(50)
    .transform(compactNumber)
    .refine((value) => /^[A-Z0-9]+$/.test(value), { error: 'accepts letters and digits' })
    .optional()
    .meta({ type: 'string', description, example });

/** What `POST /v1/kyb` takes. */
export const kybRequest = z.strictObject({
  companyName: z.string().trim().min(1).max(300).meta({ example: 'Harbour Lights Ltd' }),
  country: country.optional(),
  registrationNumber: number('In the register of its country.', '01234567'),
  vatNumber: number('With or without the prefix of its state.', 'GB123456789'),
  lei: z
    .string()
    .transform(compactNumber)
    .refine(isLei, { error: 'accepts a legal entity identifier (ISO 17442) of 20 characters with right check digits' })
    .optional()
    .meta({ type: 'string', description: 'Legal entity identifier, ISO 17442.', example: '529900T8BM49AURSDO55' }),
});

const address = z
  .object({ lines: z.array(z.string()), city: text, region: text, postalCode: text, country: text })
  .meta({ id: 'CompanyAddress' });

const partialDate = z
  .object({ year: z.number().int(), month: z.number().int().nullable(), day: z.number().int().nullable() })
  .meta({ id: 'PartialDate', description: 'As registers publish it, often without the day.' });

const company = z
  .object({
    legalName: text.meta({ description: 'Null where the register confirms a number and keeps the name to itself.' }),
    otherNames: z.array(z.string()),
    country: text,
    registrationNumber: text,
    vatNumber: text,
    lei: text,
    leiStatus: text.meta({ description: 'Of the LEI itself, such as ISSUED or LAPSED.' }),
    status: z.enum(COMPANY_STATUSES),
    legalForm: orNull(
      z.object({ code: text.meta({ description: 'ISO 20275 (ELF), where the register gives one.' }), name: text }),
    ),
    incorporationDate: text,
    dissolutionDate: text,
    registeredAddress: orNull(address),
    headquarters: orNull(address),
  })
  .meta({ id: 'Company' });

const partyKind = z.enum(['person', 'company', 'unknown']);

const officer = z
  .object({
    name: z.string(),
    kind: partyKind,
    role: text,
    appointedOn: text,
    resignedOn: text,
    nationality: text,
    country: text,
    dateOfBirth: orNull(partialDate),
  })
  .meta({ id: 'Officer' });

const owner = z
  .object({
    name: z.string(),
    kind: partyKind,
    sharesPercent: z
      .object({ from: z.number(), to: z.number() })
      .nullable()
      .meta({ description: 'A band where the register publishes bands.' }),
    control: z.array(z.string()).meta({ description: "Kinds of control, in the register's own terms." }),
    registrationNumber: text,
    country: text,
    nationality: text,
    dateOfBirth: orNull(partialDate),
    notifiedOn: text,
    ceasedOn: text,
  })
  .meta({ id: 'Owner' });

const parent = z
  .object({
    lei: text,
    legalName: text,
    country: text,
    exceptions: z.array(z.string()).meta({ description: 'Why none is named, such as NATURAL_PERSONS.' }),
  })
  .meta({ id: 'ParentCompany' });

const match = z
  .object({
    provider,
    score: z.number().meta({ description: '0–100.' }),
    confirmed: z.boolean().meta({ description: 'A number that was given is this company’s.' }),
    contradicted: z.array(z.enum(['lei', 'registrationNumber', 'vatNumber'])),
    company,
  })
  .meta({ id: 'CompanyMatch' });

const source = z
  .object({
    provider,
    status: z.enum(['pending', 'answered', 'unavailable']),
    outcome: z.enum(['matched', 'several', 'none']).nullable(),
    reason: text.meta({ description: 'Why the register could not be asked: an error code.' }),
    at: z.iso.datetime().nullable(),
    dataAt: text.meta({ description: 'When the register last brought the company up to date, where it says so.' }),
  })
  .meta({ id: 'KybSource' });

export const kybSchema = z
  .object({
    id: z.string(),
    mode: z.enum(['live', 'test']),
    status: z.enum(KYB_STATUSES).meta({
      description:
        '`found`: one company fits and nothing speaks against it. `review`: several fit, or a risk asks for a person. `not_found`: every register that was asked answered, and none knows it. `failed`: none could be asked.',
    }),
    query: z.object({
      companyName: z.string(),
      country: text,
      registrationNumber: text,
      vatNumber: text,
      lei: text,
    }),
    provider: orNull(provider).meta({ description: 'Whose company it is; completed by what the others know of it.' }),
    dataAt: text,
    company: orNull(company),
    officers: z.array(officer),
    owners: z.array(owner),
    parents: z.object({ direct: orNull(parent), ultimate: orNull(parent) }),
    matches: z.array(match).meta({ description: 'Companies that fit, best first.' }),
    sources: z.array(source).meta({ description: 'Every register that was asked.' }),
    risks: z.array(riskSchema),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    createdAt: z.iso.datetime(),
    completedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'KybCheck' });

function presentSource(answer: SourceAnswer): z.infer<typeof source> {
  const { provider: name, status } = answer;
  if (status === 'pending') return { provider: name, status, outcome: null, reason: null, at: null, dataAt: null };
  const at = answer.at.toISOString();
  if (status === 'unavailable') {
    return { provider: name, status, outcome: null, reason: answer.reason, at, dataAt: null };
  }
  const several = answer.candidates.length > 0 ? ('several' as const) : ('none' as const);
  const outcome = answer.detail === null ? several : ('matched' as const);
  return { provider: name, status, outcome, reason: null, at, dataAt: answer.detail?.dataAt ?? null };
}

/** A business check as the contract shows it. */
export function presentKyb(check: KybCheckRecord): z.infer<typeof kybSchema> {
  const { detail, failure } = check;
  return {
    id: check._id,
    mode: check.mode,
    status: check.status,
    query: check.query,
    provider: check.provider,
    dataAt: detail?.dataAt ?? null,
    company: detail?.company ?? null,
    officers: detail?.officers ?? [],
    owners: detail?.owners ?? [],
    parents: detail?.parents ?? { direct: null, ultimate: null },
    matches: check.matches.map(({ provider: name, score, confirmed, contradicted, company: one }) => ({
      provider: name,
      score,
      confirmed,
      contradicted,
      company: one,
    })),
    sources: check.sources.map(presentSource),
    risks: check.risks,
    error: failure === null ? null : { code: failure, message: 'No register could be asked; nothing was found out.' },
    createdAt: check.createdAt.toISOString(),
    completedAt: check.completedAt?.toISOString() ?? null,
  };
}

/** The answer of a route that made a check: whole where it has ended, else where to look for it. */
export function kybAnswer(check: KybCheckRecord): Reply {
  return {
    status: check.status === 'processing' ? 202 : 201,
    body: { check: presentKyb(check) },
    headers: { Location: `/v1/kyb/${check._id}` },
  };
}

export const exampleKyb: z.infer<typeof kybSchema> = {
  id: 'kyb_01JQZ7E5X8Z1C4F7J0M3P6R9T2',
  mode: 'live',
  status: 'found',
  query: { companyName: 'Harbour Lights', country: 'GB', registrationNumber: '01234567', vatNumber: null, lei: null },
  provider: 'companies_house',
  dataAt: null,
  company: {
    legalName: 'HARBOUR LIGHTS LIMITED',
    otherNames: [],
    country: 'GB',
    registrationNumber: '01234567',
    vatNumber: null,
    lei: null,
    leiStatus: null,
    status: 'active',
    legalForm: { code: null, name: 'Private limited company' },
    incorporationDate: '1988-04-12',
    dissolutionDate: null,
    registeredAddress: {
      lines: ['4 Quay Street'],
      city: 'Whitby',
      region: 'North Yorkshire',
      postalCode: 'YO21 1AA',
      country: 'United Kingdom',
    },
    headquarters: null,
  },
  officers: [
    {
      name: 'Edith QUAYLE',
      kind: 'person',
      role: 'director',
      appointedOn: '2011-02-01',
      resignedOn: null,
      nationality: 'British',
      country: 'United Kingdom',
      dateOfBirth: { year: 1971, month: 8, day: null },
    },
  ],
  owners: [
    {
      name: 'Edith Quayle',
      kind: 'person',
      sharesPercent: { from: 75, to: 100 },
      control: ['ownership-of-shares-75-to-100-percent'],
      registrationNumber: null,
      country: 'United Kingdom',
      nationality: 'British',
      dateOfBirth: { year: 1971, month: 8, day: null },
      notifiedOn: '2016-04-06',
      ceasedOn: null,
    },
  ],
  parents: { direct: null, ultimate: null },
  matches: [],
  sources: [
    {
      provider: 'companies_house',
      status: 'answered',
      outcome: 'matched',
      reason: null,
      at: '2026-11-21T10:30:00.000Z',
      dataAt: null,
    },
  ],
  risks: [],
  error: null,
  createdAt: '2026-11-21T10:29:59.000Z',
  completedAt: '2026-11-21T10:30:00.000Z',
};
