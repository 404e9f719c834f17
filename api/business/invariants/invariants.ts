import { z } from 'zod';
import { INVARIANT_NAMES, INVARIANTS, MAX_KEPT_VIOLATIONS } from '../../../domain/business/invariants/invariants';
import type { InvariantCheckSummary } from '../../../services/business/invariants/check';
import { getLatestInvariants, runInvariantCheck } from '../../../services/business/invariants/requests';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { serializeResponse } from '../responses';
import { getCaller } from '../caller';
import { instant } from '../fields';

/** A request waits at most this long for a look to end. */
const WAIT_MS = 25_000;

const violationSchema = z.object({
  subject: z.string().meta({ description: 'The record, as `kind:id`.' }),
  what: z.string().meta({ description: 'What of it was compared.' }),
  expected: z.string(),
  found: z.string(),
});

const invariantsSchema = z.object({
  startedAt: instant.nullable().meta({ description: 'When the look began whose results these are.' }),
  checkedAt: instant.nullable().meta({ description: 'When it ended; null before the first.' }),
  running: z.boolean().meta({ description: 'A look was asked for and has not ended.' }),
  violations: z.number().int().meta({ description: 'Over all invariants; 0 is how it should be.' }),
  invariants: z.array(
    z.object({
      invariant: z.enum(INVARIANT_NAMES),
      statement: z.string(),
      checked: z.number().int().meta({ description: 'Comparisons made.' }),
      violations: z.number().int(),
      examples: z
        .array(violationSchema)
        .meta({ description: `The records that break it, at most ${MAX_KEPT_VIOLATIONS}.` }),
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
  summary: 'Whether the books agree with themselves',
  description:
    'What the latest look found: balances against ledgers, receivables and payables against documents, numbers against their counters. A Schedule looks every six hours.',
  tag: 'Administration',
  addition: true,
  permission: 'admin:read',
  replies: {
    200: { description: 'Every invariant.', schema: z.object({ data: invariantsSchema }), example: exampleInvariants },
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
  summary: 'Look at the invariants now',
  description:
    'Waits for the end of the look, at most 25 seconds; then `running` is true, and the results are to be read later. A look that runs already is joined.',
  tag: 'Administration',
  addition: true,
  permission: 'admin:update',
  replies: {
    200: { description: 'What was found.', schema: z.object({ data: invariantsSchema }), example: exampleInvariants },
    202: {
      description: 'The look goes on; these are the results of the one before.',
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
