import { z } from 'zod';
import { isRiskCode } from '../../../domain/identity/checks/risks';
import { DEFAULT_FEATURES, FEATURES } from '../../../domain/identity/sessions/features';
import { RISK_ACTIONS, RISK_CODES, RISKS } from '../../../domain/identity/checks/risks';
import { RULE_FIELD_NAMES } from '../../../domain/identity/sessions/rules/fields';
import { RULE_OPERATORS } from '../../../domain/identity/sessions/rules/operators';
import { findConditionProblem, RULE_STATUSES } from '../../../domain/identity/sessions/rules/rule';
import type { Condition } from '../../../domain/identity/sessions/rules/rule';
import { DEFAULT_SETTINGS } from '../../../domain/identity/sessions/settings';
import { DEFAULT_THRESHOLDS } from '../../../domain/identity/sessions/thresholds';
import { isPattern } from '../../../lib/patterns';
import { requestedFeature, callbackUrl, country } from './session-fields';
import { trimmedText } from '../../http/text';

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
  error: 'decline must not exceed review',
  path: ['decline'],
});

const highScore = z
  .strictObject({ review: score, decline: score })
  .refine(({ decline, review }) => review <= decline, { error: 'review must not exceed decline', path: ['review'] });

const thresholds = z
  .strictObject({
    liveness: lowScore.optional().meta({
      description: `Scores below which the check is declined or reviewed. Default ${JSON.stringify(DEFAULT_THRESHOLDS.liveness)}.`,
    }),
    faceMatch: lowScore.optional().meta({
      description: `Calibrated scores below which the check is declined or reviewed; 50 is the match threshold of the service. Default ${JSON.stringify(DEFAULT_THRESHOLDS.faceMatch)}.`,
    }),
    aml: highScore.optional().meta({ description: 'Scores from which the check is reviewed or declined.' }),
    minimumAge: z
      .int({ error: 'accepts whole years 1–120' })
      .min(1)
      .max(120)
      .optional()
      .meta({ description: 'Minimum age in years; a younger person is declined with `minimum_age_not_met`.' }),
  })
  .meta({ id: 'Thresholds' });

const actions = z
  .partialRecord(z.string().refine(isRiskCode, { error: 'is not a risk code' }), z.enum(RISK_ACTIONS))
  .superRefine((chosen, context) => {
    for (const code of RISK_CODES.filter((known) => chosen[known] === 'recapture' && !RISKS[known].retryable)) {
      context.addIssue({
        code: 'custom',
        path: [code],
        message: 'accepts decline, review, ignore: another capture cannot cure this risk',
      });
    }
  })
  .meta({
    propertyNames: { enum: [...RISK_CODES] },
    description:
      'Actions by risk code in place of the defaults of the catalogue; `recapture` only for risks that another capture may cure.',
  });

const scalar = z.union([z.string().max(500), z.number(), z.boolean()]);

const conditionFields = {
  field: z
    .string()
    .max(200)
    .meta({
      pattern: `^(${RULE_FIELD_NAMES.join('|').replaceAll('.', '[.]')})$`,
      description: `Field to compare: one of ${RULE_FIELD_NAMES.join(', ')}.`,
    }),
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
    .meta({ description: 'Value to compare with: absent with exists and not_exists, a list with in and not_in.' }),
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
      .meta({ description: 'Id of the rule, which decisions refer to. Default `rule-<position>`.' }),
    ...conditionFields,
    and: z
      .array(z.strictObject(conditionFields))
      .max(10)
      .optional()
      .meta({ description: 'Further conditions, which must hold too.' }),
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
      'Rules, evaluated in order once all steps are completed; the first one that holds decides. A rule cannot approve a session that a finding declines or that has a step which did not pass.',
  });

const branding = z
  .strictObject({
    name: trimmedText(100).optional(),
    logoUrl: z
      .url({ protocol: /^https$/, error: 'accepts an https URL' })
      .max(2000)
      .optional(),
    primaryColor: z
      .string()
      .regex(/^#[0-9a-fA-F]{6}$/, 'accepts a colour such as #1a73e8')
      .optional(),
  })
  .meta({ description: 'Appearance of the capture page.' });

const acceptedDocuments = z
  .array(
    z.strictObject({
      type: z.enum(['passport', 'identity_card', 'driving_licence', 'residence_permit', 'visa']),
      countries: z.array(country).min(1).max(250).optional().meta({ description: 'Issuing states. Default: any.' }),
    }),
  )
  .min(1)
  .max(50)
  .meta({
    description:
      'Accepted documents; any other one raises `document_not_accepted`. Null accepts every document that the service reads.',
  });

const describeWithDefault = (text: string, value: unknown) => ({
  description: `${text} Default ${JSON.stringify(value)}.`,
});

const features = z
  .array(requestedFeature)
  .min(1)
  .max(FEATURES.length)
  .refine((selected) => new Set(selected).size === selected.length, { error: 'accepts each feature once' })
  .meta({ uniqueItems: true, description: `Features that sessions verify. Default ${DEFAULT_FEATURES.join(', ')}.` });

/** The fields of a definition; all except the name are optional. */
const definitionFields = {
  name: trimmedText(100),
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
    describeWithDefault('Window in days in which attempts are counted.', DEFAULT_SETTINGS.attemptWindowDays),
  ),
  linkTtlHours: wholeHours(8760).meta(
    describeWithDefault('Hours until a session that was not started expires.', DEFAULT_SETTINGS.linkTtlHours),
  ),
  abandonAfterHours: wholeHours(8760).meta(
    describeWithDefault(
      'Hours of inactivity until a started session is abandoned.',
      DEFAULT_SETTINGS.abandonAfterHours,
    ),
  ),
  approvalValidDays: wholeDays(3650)
    .nullable()
    .meta({ description: 'Days until an approval expires (`approval_expired`). Default null: never.' }),
  retentionDays: wholeDays(3650)
    .nullable()
    .meta({ description: 'Days after its end until a session is erased. Default null: it is kept until deleted.' }),
  indexApprovedFaces: z.boolean().meta({
    description:
      'Whether selfies of approved sessions are added to the `users` of the face index, which detects the same face under another externalId. Default true.',
  }),
  callbackUrl: callbackUrl.nullable(),
  branding: branding.nullable(),
  acceptedDocuments: acceptedDocuments.nullable(),
  acceptPdfDocuments: z.boolean().meta({
    description:
      'Whether identity documents may be sent as PDFs (otherwise 415 `unsupported_media_type`). A PDF can hold any picture, without traces of a camera. Default true.',
  }),
};

const isDefault = z.boolean().optional().meta({
  description: 'Whether sessions created without a workflowId start with this workflow. Replaces the former default.',
});

const { name: nameField, ...optionalFields } = definitionFields;

export const newTemplate = z.strictObject({ name: nameField, ...z.object(optionalFields).partial().shape, isDefault });

export const templateChanges = z
  .strictObject({
    ...z.object(definitionFields).partial().shape,
    isDefault: z
      .literal(true, { error: 'accepts true; to replace the default, make another workflow the default' })
      .optional(),
    version: z.int().min(1).optional().meta({
      description: 'Version that the change is based on; if it is no longer the current one, the response is 409.',
    }),
  })
  .refine((changes) => Object.keys(changes).some((name) => name !== 'version'), { error: 'names no field to change' })
  .meta({ minProperties: 1, not: { required: ['version'], maxProperties: 1 } });

/** A draft to simulate; the fields that it leaves out are those of the workflow. */
export const draftFields = {
  thresholds: thresholds.optional(),
  actions: actions.optional(),
  rules: rules.optional(),
  features: features.optional(),
  acceptedDocuments: acceptedDocuments.nullable().optional(),
};

/** A definition in responses, of the current or an earlier version. */
export const definitionSchema = z.object({
  name: z.string(),
  features: z.array(z.string()),
  thresholds,
  actions: z.record(z.string(), z.enum(RISK_ACTIONS)),
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
  acceptPdfDocuments: z.boolean(),
});
