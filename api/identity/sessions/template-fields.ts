import { z } from 'zod';
import { AVAILABLE_FEATURES } from '../../../domain/identity/checks/checks';
import { DEFAULT_FEATURES } from '../../../domain/identity/sessions/features';
import { RISK_CODES } from '../../../domain/identity/checks/risks';
import type { RiskCode } from '../../../domain/identity/checks/risks';
import { RULE_FIELD_NAMES } from '../../../domain/identity/sessions/rules/fields';
import { RULE_OPERATORS } from '../../../domain/identity/sessions/rules/operators';
import { findConditionProblem, RULE_STATUSES } from '../../../domain/identity/sessions/rules/rule';
import type { Condition } from '../../../domain/identity/sessions/rules/rule';
import { DEFAULT_SETTINGS } from '../../../domain/identity/sessions/settings';
import { DEFAULT_THRESHOLDS } from '../../../domain/identity/sessions/thresholds';
import { isPattern } from '../../../lib/patterns';
import { availableFeature, country, webUrl } from './session-fields';

const MAX_RULES = 100;

const score = z.number({ error: 'accepts a score 0–100' }).min(0).max(100);

const wholeDays = (maxDays: number) =>
  z
    .int({ error: `accepts whole days 1–${maxDays}` })
    .min(1)
    .max(maxDays);
const wholeHours = (maxHours: number) =>
  z
    .int({ error: `accepts whole hours 1–${maxHours}` })
    .min(1)
    .max(maxHours);

const lowScore = z.strictObject({ decline: score, review: score }).refine(({ decline, review }) => decline <= review, {
  error: 'decline must not lie above review',
  path: ['decline'],
});

const highScore = z
  .strictObject({ review: score, decline: score })
  .refine(({ decline, review }) => review <= decline, { error: 'review must not lie above decline', path: ['review'] });

const thresholds = z
  .strictObject({
    liveness: lowScore
      .optional()
      .meta({ description: `Below, declined or reviewed. Default ${JSON.stringify(DEFAULT_THRESHOLDS.liveness)}.` }),
    faceMatch: lowScore.optional().meta({
      description: `Calibrated scores: 50 stands at the service's match threshold. Default ${JSON.stringify(DEFAULT_THRESHOLDS.faceMatch)}.`,
    }),
    aml: highScore.optional().meta({ description: 'From there on, reviewed or declined.' }),
    minimumAge: z
      .int({ error: 'accepts whole years 1–120' })
      .min(1)
      .max(120)
      .optional()
      .meta({ description: 'Anyone younger is declined with `minimum_age_not_met`.' }),
  })
  .meta({ id: 'Thresholds' });

const isRiskCode = (code: string): code is RiskCode => RISK_CODES.some((known) => known === code);

const actions = z
  .partialRecord(
    z.string().refine(isRiskCode, { error: 'is not a risk code' }),
    z.enum(['decline', 'review', 'ignore']),
  )
  .meta({ description: 'What a risk does instead of its default in the catalogue.' });

const scalar = z.union([z.string().max(500), z.number(), z.boolean()]);

const conditionFields = {
  field: z
    .string()
    .max(200)
    .meta({ description: `One of ${RULE_FIELD_NAMES.join(', ')}.` }),
  operator: z.enum(RULE_OPERATORS, { error: `accepts ${RULE_OPERATORS.join(', ')}` }),
  value: z
    .union(
      [
        scalar,
        z
          .array(z.union([z.string().max(500), z.number()]))
          .min(1)
          .max(1000),
      ],
      {
        error: 'accepts a text, a number, true or false, or a list of texts and numbers',
      },
    )
    .optional()
    .meta({ description: 'None with exists and not_exists, a list with in and not_in.' }),
};

function checkCondition(
  condition: Condition,
  path: readonly (string | number)[],
  context: z.core.$RefinementCtx,
): void {
  const found = findConditionProblem(condition, isPattern);
  if (found === null) return;
  context.addIssue({ code: 'custom', message: found.problem, path: [...path, found.part], input: condition });
}

const rule = z
  .strictObject({
    id: z
      .string()
      .regex(/^[a-zA-Z0-9_-]{1,64}$/, 'accepts 1–64 letters, digits, - and _')
      .optional()
      .meta({ description: 'The decision names it. Default `rule-<position>`.' }),
    ...conditionFields,
    and: z
      .array(z.strictObject(conditionFields))
      .max(10)
      .optional()
      .meta({ description: 'Further conditions that must hold too.' }),
    status: z.enum(RULE_STATUSES, { error: `accepts ${RULE_STATUSES.join(', ')}` }),
  })
  .superRefine((submittedRule, context) => {
    checkCondition(submittedRule, [], context);
    submittedRule.and?.forEach((condition, index) => checkCondition(condition, ['and', index], context));
  })
  .meta({ id: 'Rule' });

const rules = z
  .array(rule)
  .max(MAX_RULES, `accepts at most ${MAX_RULES} rules`)
  .transform((submittedRules) => submittedRules.map((one, index) => ({ ...one, id: one.id ?? `rule-${index + 1}` })))
  .refine((submittedRules) => new Set(submittedRules.map(({ id }) => id)).size === submittedRules.length, {
    error: 'accepts each id once',
  })
  .meta({
    description:
      'Asked in order once the steps are done; the first that holds decides. A rule approves no session that a finding declines or whose steps came to no good end.',
  });

const branding = z
  .strictObject({
    name: z.string().trim().min(1).max(100).optional(),
    logoUrl: z
      .url({ protocol: /^https$/, error: 'accepts an https URL' })
      .max(2000)
      .optional(),
    primaryColor: z
      .string()
      .regex(/^#[0-9a-fA-F]{6}$/, 'accepts a colour such as #1a73e8')
      .optional(),
  })
  .meta({ description: 'How the capture page presents itself.' });

const acceptedDocuments = z
  .array(
    z.strictObject({
      type: z.enum(['passport', 'identity_card', 'driving_licence', 'residence_permit', 'visa']),
      countries: z.array(country).min(1).max(250).optional().meta({ description: 'Issuing states; any by default.' }),
    }),
  )
  .min(1)
  .max(50)
  .meta({ description: 'Any other document is `document_not_accepted`. Null: every document the service reads.' });

const describeWithDefault = (text: string, value: unknown) => ({
  description: `${text} Default ${JSON.stringify(value)}.`,
});

const features = z
  .array(availableFeature)
  .min(1)
  .max(AVAILABLE_FEATURES.length)
  .refine((selected) => new Set(selected).size === selected.length, { error: 'accepts each feature once' })
  .meta({ description: `What its sessions verify. Default ${DEFAULT_FEATURES.join(', ')}.` });

/** What a workflow's definition may set; everything but its name may be left out. */
const definitionFields = {
  name: z.string().trim().min(1).max(100),
  features,
  thresholds,
  actions,
  rules,
  maxAttempts: z
    .int({ error: 'accepts 1–10' })
    .min(1)
    .max(10)
    .meta(describeWithDefault('Attempts at each step within the window.', DEFAULT_SETTINGS.maxAttempts)),
  attemptWindowDays: wholeDays(90).meta(
    describeWithDefault('Days in which attempts count together.', DEFAULT_SETTINGS.attemptWindowDays),
  ),
  linkTtlHours: wholeHours(8760).meta(
    describeWithDefault('Hours until a session that was never opened expires.', DEFAULT_SETTINGS.linkTtlHours),
  ),
  abandonAfterHours: wholeHours(8760).meta(
    describeWithDefault(
      'Hours without activity until an opened session is abandoned.',
      DEFAULT_SETTINGS.abandonAfterHours,
    ),
  ),
  approvalValidDays: wholeDays(3650)
    .nullable()
    .meta({ description: 'Days until an approval lapses (`approval_expired`). Null, the default: never.' }),
  retentionDays: wholeDays(3650)
    .nullable()
    .meta({ description: 'Days after its end until a session is erased. Null, the default: kept until deleted.' }),
  indexApprovedFaces: z.boolean().meta({
    description:
      'Whether the selfies of approved sessions join the `users` of the face index, which finds the same face under another external id. Default true.',
  }),
  callbackUrl: webUrl.nullable(),
  branding: branding.nullable(),
  acceptedDocuments: acceptedDocuments.nullable(),
};

const isDefault = z
  .boolean()
  .optional()
  .meta({ description: 'Sessions created without a workflowId start with it; the former default is none any more.' });

const { name: nameField, ...optionalFields } = definitionFields;

export const newTemplate = z.strictObject({ name: nameField, ...z.object(optionalFields).partial().shape, isDefault });

export const templateChanges = z
  .strictObject({
    ...z.object(definitionFields).partial().shape,
    isDefault: z.literal(true, { error: 'accepts true; another workflow made the default takes its place' }).optional(),
    version: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'The version you have seen; if it is no longer the current one, the answer is 409.' }),
  })
  .refine((changes) => Object.keys(changes).some((name) => name !== 'version'), { error: 'names no field to change' });

/** A draft to try out: what it leaves out is the workflow's own. */
export const draftFields = {
  thresholds: thresholds.optional(),
  actions: actions.optional(),
  rules: rules.optional(),
  features: features.optional(),
  acceptedDocuments: acceptedDocuments.nullable().optional(),
};

/** A definition as answers show it, of this version or of any before. */
export const definitionSchema = z.object({
  name: z.string(),
  features: z.array(z.string()),
  thresholds,
  actions: z.record(z.string(), z.enum(['decline', 'review', 'ignore'])),
  rules: z.array(
    z.object({
      id: z.string(),
      field: z.string(),
      operator: z.enum(RULE_OPERATORS),
      value: conditionFields.value,
      and: z.array(z.object(conditionFields)).optional(),
      status: z.enum(RULE_STATUSES),
    }),
  ),
  maxAttempts: z.int(),
  attemptWindowDays: z.int(),
  linkTtlHours: z.int(),
  abandonAfterHours: z.int(),
  approvalValidDays: z.int().nullable(),
  retentionDays: z.int().nullable(),
  indexApprovedFaces: z.boolean(),
  callbackUrl: z.string().nullable(),
  branding: branding.nullable(),
  acceptedDocuments: acceptedDocuments.nullable(),
});
