import { z } from 'zod';
import { INVARIANT_NAMES, INVARIANTS, MAX_KEPT_VIOLATIONS } from '../../../domain/business/invariants/invariants';
import type { InvariantCheckSummary } from '../../../services/business/invariants/check';
import { getLatestInvariants, runInvariantCheck } from '../../../services/business/invariants/requests';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { serializeResponse } from '../serialization';
import { getCaller } from '../caller';
import { instant } from '../fields';

/** Maximum time for which a request waits for the end of a check. */
const WAIT_MS = 25_000;

const violationSchema = z.object({
  subject: z.string().meta({ description: 'Record with the violation, as `kind:id`.' }),
  what: z.string().meta({ description: 'Value that was compared.' }),
  expected: z.string().meta({ description: 'Value that follows from the other records.' }),
  found: z.string().meta({ description: 'Stored value.' }),
});

const invariantsSchema = z.object({
  startedAt: instant.nullable().meta({ description: 'Time at which the check started.' }),
  checkedAt: instant.nullable().meta({ description: 'Time at which the check ended; null before the first check.' }),
  running: z.boolean().meta({ description: 'Whether a requested check has not ended yet.' }),
  violations: z.number().int().meta({ description: 'Number of violations of all invariants.' }),
  invariants: z.array(
    z.object({
      invariant: z.enum(INVARIANT_NAMES),
      statement: z.string().meta({ description: 'Statement that must always hold.' }),
      checked: z.number().int().meta({ description: 'Number of comparisons.' }),
      violations: z.number().int(),
      examples: z
        .array(violationSchema)
        .meta({ description: `Violations of the invariant, at most ${MAX_KEPT_VIOLATIONS}.` }),
    }),
  ),
});

const exampleInvariants = {
  data: {
    startedAt: '2026-11-21T10:00:00.000+01:00',
    checkedAt: '2026-11-21T10:00:01.412+01:00',
    running: false,
    violations: 1,
    invariants: [
      {
        invariant: 'stock_balances',
        statement: INVARIANTS.stock_balances,
        checked: 4210,
        violations: 1,
        examples: [{ subject: 'product:7/warehouse:1', what: 'onHand', expected: '12', found: '11' }],
      },
    ],
  },
};

const presentInvariants = ({ invariants, ...head }: InvariantCheckSummary) => ({
  ...head,
  invariants: invariants.map(({ invariant, statement, checked, violations, examples }) => ({
    invariant,
    statement,
    checked,
    violations,
    examples: examples.map(({ subject, what, expected, found }) => ({ subject, what, expected, found })),
  })),
});

const show = defineRoute({
  method: 'get',
  path: '/api/admin/invariants',
  operationId: 'getInvariants',
  summary: 'Get the results of the latest consistency check',
  description:
    'Results of the latest check of the records of the company: balances against ledgers, receivables and payables against documents, document numbers against their counters. A Schedule runs the check every six hours.',
  tag: 'Administration',
  addition: true,
  permission: 'admin:read',
  replies: {
    200: {
      description: 'Results of every invariant.',
      schema: z.object({ data: invariantsSchema }),
      example: exampleInvariants,
    },
  },
  async handle(context) {
    const caller = await getCaller(context);
    const data = presentInvariants(await getLatestInvariants(context.platform, caller));
    return { status: 200, body: serializeResponse({ data }, caller.company.timeZone) };
  },
});

const run = defineRoute({
  method: 'post',
  path: '/api/admin/invariants',
  operationId: 'checkInvariants',
  summary: 'Check the invariants now',
  description:
    'Starts a check, unless one is running already, and waits up to 25 seconds for its end. If it takes longer, `running` is true and the results can be read later.',
  tag: 'Administration',
  addition: true,
  permission: 'admin:update',
  replies: {
    200: {
      description: 'Results of the check.',
      schema: z.object({ data: invariantsSchema }),
      example: exampleInvariants,
    },
    202: {
      description: 'The check is still running; the results are those of the check before.',
      schema: z.object({ data: invariantsSchema }),
    },
  },
  async handle(context) {
    const caller = await getCaller(context);
    const found = await runInvariantCheck(context.platform, caller, WAIT_MS);
    const body = serializeResponse({ data: presentInvariants(found) }, caller.company.timeZone);
    return { status: found.running ? 202 : 200, body };
  },
});

export const invariantRoutes: readonly Route[] = [show, run];
