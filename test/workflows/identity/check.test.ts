import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import type { CheckActivities } from '../../../activities/checks';
import { unavailableError } from '../../../domain/errors';
import { QUEUES } from '../../../workflows/contracts';
import { recordHistory } from '../../support/histories';
import { PoolWorkflowRunner } from '../../support/pool-workflow';

let checks: PoolWorkflowRunner;

beforeAll(async () => {
  checks = await PoolWorkflowRunner.start({
    name: 'check',
    queue: QUEUES.vision,
    activity: 'runCheck',
    failure: 'failCheck',
  });
});
afterAll(() => checks.stop());

const approved = (): ReturnType<CheckActivities['runCheck']> =>
  Promise.resolve({ status: 'completed', verdict: 'approved', risks: [], progress: null });

/** Runs one check with the given engine. */
const runWith = (engine: () => ReturnType<CheckActivities['runCheck']>, checkId = `chk_${randomUUID()}`) =>
  checks.run(checkId, { checkId, kind: 'liveness', organisationId: 'org_1' }, engine);

describe('the check workflow', () => {
  test('ends when the vision pool has recorded a result', async () => {
    const done = await runWith(approved);
    expect(done).toEqual({ ended: 'completed', failures: [], runs: 1 });
  });

  test('runs a crashing decoder four times, then fails the check with the reason', async () => {
    const checkId = `chk_${randomUUID()}`;
    const crash = () => Promise.reject(ApplicationFailure.retryable('The decoder crashed.', 'image_decoder_crashed'));
    const done = await runWith(crash, checkId);
    expect(done).toMatchObject({ failures: ['image_decoder_crashed'], runs: 4 });
    await recordHistory(checks.getHandle(checkId), 'check-failed');
  });

  test('is repeated until an outage ends, and faults before, during and after it count together', async () => {
    const crash = ApplicationFailure.retryable('The decoder crashed.', 'image_decoder_crashed');
    const outage = unavailableError('The object store does not respond.');
    const attempts: Error[] = [crash, crash, ...Array.from({ length: 30 }, () => outage), crash];
    const done = await runWith(() => {
      const error = attempts.shift();
      return error === undefined ? approved() : Promise.reject(error);
    });
    expect(done).toEqual({ ended: 'completed', failures: [], runs: 34 });
  });

  test('fails if its faults exceed the limit, also with an outage between them', async () => {
    const crash = ApplicationFailure.retryable('The decoder crashed.', 'image_decoder_crashed');
    const outage = unavailableError('The object store does not respond.');
    const attempts = [crash, outage, crash, outage, crash, outage, crash];
    const done = await runWith(() => Promise.reject(attempts.shift() ?? outage));
    expect(done).toMatchObject({ failures: ['image_decoder_crashed'], runs: 7 });
  });

  test('completes if a later attempt succeeds', async () => {
    let crashes = 2;
    const done = await runWith(() =>
      crashes-- > 0
        ? Promise.reject(new Error('The worker was killed.'))
        : Promise.resolve({ status: 'completed', verdict: 'review', risks: ['image_blurred'], progress: null }),
    );
    expect(done).toEqual({ ended: 'completed', failures: [], runs: 3 });
  });

  test('does not retry permanent failures', async () => {
    const rejected = () => Promise.reject(ApplicationFailure.nonRetryable('Not an image.', 'image_not_decodable'));
    expect(await runWith(rejected)).toMatchObject({ failures: ['image_not_decodable'], runs: 1 });
  });
});
