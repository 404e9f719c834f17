import { z } from 'zod';
import { FEATURES } from '../../../domain/identity/sessions/features';
import { RISK_ACTIONS, RISK_CATALOGUE_VERSION, RISK_CODES, VERDICTS } from '../../../domain/identity/checks/risks';

export const riskCodeSchema = z
  .enum(RISK_CODES)
  .meta({ id: 'RiskCode', description: `Risk code, catalogue version ${RISK_CATALOGUE_VERSION}.` });

export const riskSchema = z
  .object({
    code: riskCodeSchema,
    severity: z.enum(['low', 'medium', 'high']),
    action: z.enum(RISK_ACTIONS).meta({ description: 'Effect of the risk on its step.' }),
    feature: z.enum([...FEATURES, 'kyb', 'session']),
    message: z.string(),
    details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
  })
  .meta({ id: 'Risk' });

export const verdictSchema = z.enum(VERDICTS).meta({
  id: 'Verdict',
  description: '`recapture`: the image does not show enough; `risks` say why. The step waits for another one.',
});

export const exampleRisk = {
  code: 'face_mismatch',
  severity: 'high',
  action: 'decline',
  feature: 'face_match',
  message: 'The two faces do not match.',
  details: { similarity: 0.08 },
};
