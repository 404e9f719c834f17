import { shareOwnStack } from '../support/shared-stack';
import type { SharedStack } from '../support/shared-stack';
import {
  compareInvoices,
  listFailedChecks,
  listLedgerDifferences,
  listSequences,
  listUnfinished,
  listUnreadableInvoices,
  listWrongEvents,
  listWrongSessions,
  sweepOrphans,
} from '../support/chaos/checks';
import { listFaults } from '../support/chaos/faults';
import type { Fault } from '../support/chaos/faults';
import { PREPARATION_LIMIT_MS } from '../support/chaos/limits';
import { ChaosSuite, getRecoverySeconds, printHead } from '../support/chaos/suite';

/** `npm run chaos` injects every fault for longer; a run of all tests these, each for a moment. */
const SHORT = [
  ...['kill api', 'kill worker', 'kill mongod', 'kill temporal', 'kill s3', 'kill chromium', 'kill decoder'],
  ...['pause temporal', 'pause mongod', 'stall s3', 'lose mongo', 'duplicate api'],
  ...['full disk mongo', 'full disk temporal', 'full disk s3', 'step down mongod'],
];
const full = process.env['VOUCH_CHAOS'] !== undefined;
const SELECTED = (process.env['VOUCH_CHAOS'] ?? '').split(',').filter((name) => name !== '');
const OPTIONS = full
  ? { intervals: { session: 6, sale: 0.5, export: 15 }, holdMs: 6000 }
  : { intervals: { session: 10, sale: 2, export: 30 }, holdMs: 2000 };
/** Serving again within this time after the end of a fault; `npm run chaos` requires it. */
const GOAL_SECONDS = 10;

const isSelected = ({ name }: Fault): boolean =>
  full ? SELECTED.length === 0 || SELECTED.some((part) => name.includes(part)) : SHORT.includes(name);

/** Faults of a replica set are injected by another file. */
const isElsewhere = SELECTED.length > 0 && SELECTED.every((part) => part.includes('primary'));

(isElsewhere ? describe.skip : describe)(
  'sessions, invoices, payments, exports and webhooks while one part after another fails',
  () => {
    let stack: SharedStack;
    let suite: ChaosSuite;

    beforeAll(async () => {
      stack = await shareOwnStack();
      if (typeof stack.disks === 'string')
        process.stderr.write(`full disks are not tested, because none can be mounted: ${stack.disks}\n`);
      suite = await ChaosSuite.prepare(stack, OPTIONS);
      printHead();
      await suite.run(listFaults(stack).filter(isSelected));
    }, PREPARATION_LIMIT_MS);
    afterAll(() => suite?.receiver.close());

    test('after every fault, the service accepts, renders and checks again; without Temporal, it accepts meanwhile', () => {
      expect(suite.results.filter(({ error }) => error !== null)).toEqual([]);
      expect(suite.load.errors).toEqual([]);
      if (full) expect(suite.results.filter((result) => getRecoverySeconds(result) > GOAL_SECONDS)).toEqual([]);
    });

    test('no request receives status 500', () => {
      const { identity, business } = suite.clients;
      expect([identity.responses.get(500), business.responses.get(500)]).toEqual([undefined, undefined]);
    });

    test('every session has the expected outcome, with each reviewer’s decision exactly once', async () => {
      // How many there are depends on how fast the service recovers.
      expect(suite.load.sessions.size).toBeGreaterThan(0);
      expect(await listWrongSessions(suite.clients, suite.accepted)).toEqual([]);
      expect(await suite.withPlatform(() => listFailedChecks(suite.accepted))).toEqual([]);
    });

    test('exactly the accepted invoices exist, unchanged, and their numbers have no gaps and no duplicates', async () => {
      const { found, accepted } = await compareInvoices(suite.clients, suite.accepted);
      expect(found).toEqual(accepted);
      expect(listSequences(suite.accepted)).toEqual(accepted.map((_, index) => index + 1));
    });

    test('stock, open amounts and invariants agree with what was accepted', async () => {
      expect(await listLedgerDifferences(suite.clients, suite.accepted)).toEqual([]);
    });

    test('every event is delivered, always with the same webhook-id', async () => {
      expect(await listWrongEvents(suite.receiver, suite.accepted)).toEqual([]);
    });

    test('no outbox row, delivery or workflow is left, and none has failed', async () => {
      expect(await suite.withPlatform((platform) => listUnfinished(platform, suite.accepted))).toEqual([]);
    });

    test('the sweep removes what no record refers to, and every document can be read afterwards', async () => {
      const orphans = await suite.withPlatform(sweepOrphans);
      process.stderr.write(`objects of transactions that did not commit: ${orphans}\n`);
      expect(await suite.withPlatform(sweepOrphans)).toBe(0);
      expect(await listUnreadableInvoices(suite.clients, suite.accepted)).toEqual([]);
    });
  },
);
