import { alpha3ToAlpha2, getAlpha2Codes } from 'i18n-iso-countries/index';
import { z } from 'zod';
import { CAPTURE_LANGUAGES } from '../../../domain/identity/capture/consent-texts';
import { CAPTURE_DOCUMENT_TYPES, hasBack } from '../../../domain/identity/capture/document-choice';
import { FEATURES } from '../../../domain/identity/sessions/features';
import type { CaptureState } from '../../../services/identity/capture/capture-state';
import { getReturnUrl } from '../../../services/identity/capture/capture-state';
import { isFinalStatus } from '../../../domain/identity/sessions/session';
import { orNull } from '../or-null';
import { riskCodeSchema } from '../checks/risk-responses';
import { sessionStatusSchema } from '../sessions/session-values';

const instant = z.iso.datetime();
const documentType = z.enum(CAPTURE_DOCUMENT_TYPES);
const alpha2 = z.string().meta({ description: 'ISO 3166-1 alpha-2 code.' });

export const captureStateSchema = z
  .object({
    sessionId: z.string(),
    status: sessionStatusSchema,
    mode: z.enum(['live', 'test']),
    open: z.boolean().meta({ description: 'Whether the person can capture anything now.' }),
    decided: z.boolean().meta({ description: 'Whether the session has ended.' }),
    language: z.string().nullable().meta({ description: 'Language requested for the session.' }),
    organisation: z.object({
      name: z.string(),
      logo: z.string().nullable().meta({
        description: 'Path of the logo on this host, which the cookie of the page can read; null without a logo.',
      }),
      primaryColor: z.string().nullable(),
    }),
    consent: orNull(z.object({ version: z.string(), language: z.string(), at: instant })),
    documents: z
      .array(
        z.object({
          type: documentType,
          countries: z.array(alpha2),
          back: z.boolean().meta({ description: 'Whether its back has to be photographed as well.' }),
        }),
      )
      .meta({ description: 'Documents that the session accepts, with their issuing states.' }),
    documentChoice: orNull(z.object({ type: documentType, country: alpha2 })),
    frontKept: z
      .boolean()
      .meta({ description: 'Whether the front of the document was kept and its back is to be photographed.' }),
    acceptPdfDocuments: z.boolean(),
    steps: z.array(
      z.object({
        feature: z.enum(FEATURES),
        task: z.enum(['document', 'liveness', 'selfie', 'address']),
        status: z.enum(['not_run', 'processing', 'passed', 'review', 'retry', 'exhausted', 'declined']),
        attemptsLeft: z.number().int(),
        problems: z
          .array(riskCodeSchema)
          .meta({ description: 'Why the last capture must be repeated; only what a better capture may cure.' }),
      }),
    ),
    handedOver: z.boolean().meta({ description: 'Whether another device continues the capture.' }),
    handOvers: z.number().int().meta({
      description: 'How often another device has opened a link that this browser created (`handOverCapture`).',
    }),
    returnUrl: z
      .string()
      .nullable()
      .meta({ description: 'Address to which the person returns, with `session_id` and `status` in its query.' }),
  })
  .meta({ id: 'CaptureState' });

type StateResponse = z.infer<typeof captureStateSchema>;

const toAlpha2 = (code: string): string => alpha3ToAlpha2(code) ?? code;

const ALL_COUNTRIES: readonly string[] = Object.keys(getAlpha2Codes()).sort();

/** The documents that the session accepts, each type once. */
function presentDocuments({ session }: CaptureState): StateResponse['documents'] {
  const { acceptedDocuments } = session.settings;
  return CAPTURE_DOCUMENT_TYPES.flatMap((type) => {
    const accepted = acceptedDocuments?.filter((document) => document.type === type) ?? [{ countries: undefined }];
    if (accepted.length === 0) return [];
    const isAny = accepted.some(({ countries }) => countries === undefined);
    const countries = isAny
      ? [...ALL_COUNTRIES]
      : [...new Set(accepted.flatMap((document) => document.countries ?? []).map(toAlpha2))].sort();
    return [{ type, countries, back: hasBack(type) }];
  });
}

/** Presents the state of a capture to the person. */
export function presentCaptureState(state: CaptureState): StateResponse {
  const { session, organisation, steps, open, handedOver, handOvers } = state;
  const { consent, documentChoice } = session;
  return {
    sessionId: session._id,
    status: session.status,
    mode: session.mode,
    open,
    decided: isFinalStatus(session.status),
    language: session.language,
    organisation: {
      name: organisation.name,
      logo: organisation.logoVersion === null ? null : `/v1/capture/logo?version=${organisation.logoVersion}`,
      primaryColor: organisation.primaryColor ?? null,
    },
    consent:
      consent == null ? null : { version: consent.version, language: consent.language, at: consent.at.toISOString() },
    documents: session.features.includes('id') ? presentDocuments(state) : [],
    documentChoice:
      documentChoice == null ? null : { type: documentChoice.type, country: toAlpha2(documentChoice.country) },
    frontKept: session.keptFront != null,
    acceptPdfDocuments: session.settings.acceptPdfDocuments ?? true,
    steps,
    handedOver,
    handOvers,
    returnUrl: getReturnUrl(session),
  };
}

export const exampleCaptureState = {
  sessionId: 'ses_01JQZ4QXKD0A3C6F9H2J5M8P1R',
  status: 'in_progress',
  mode: 'live',
  open: true,
  decided: false,
  language: 'fr',
  organisation: { name: 'Example GmbH', logo: '/v1/capture/logo?version=9f86d081884c7d65', primaryColor: '#1a73e8' },
  consent: { version: '2026-11-22', language: 'fr', at: '2026-11-21T09:59:00.000Z' },
  documents: [
    { type: 'passport', countries: ['DE', 'FR'], back: false },
    { type: 'identity_card', countries: ['FR'], back: true },
  ],
  documentChoice: { type: 'identity_card', country: 'FR' },
  frontKept: false,
  acceptPdfDocuments: true,
  steps: [
    { feature: 'id', task: 'document', status: 'retry', attemptsLeft: 2, problems: ['image_blurred'] },
    { feature: 'liveness', task: 'liveness', status: 'not_run', attemptsLeft: 3, problems: [] },
  ],
  handedOver: false,
  handOvers: 0,
  returnUrl: 'https://shop.example/verified?session_id=ses_01JQZ4QXKD0A3C6F9H2J5M8P1R&status=in_progress',
} as const satisfies StateResponse;

/** A language of the capture page. */
export const captureLanguage = z.enum(CAPTURE_LANGUAGES, { error: `accepts ${CAPTURE_LANGUAGES.join(', ')}` });
