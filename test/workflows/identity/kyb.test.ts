import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { WorkflowBundle } from '@temporalio/worker';
import type { KybActivities } from '../../../activities/screening/kyb/activities';
import type { KybScreeningActivities } from '../../../activities/screening/kyb/screening';
import type { KybProviderName } from '../../../domain/identity/kyb/company';
import { QUEUES, SECOND_QUEUES } from '../../../workflows/contracts';
import { POOL_INTERCEPTORS } from '../../support/pool-interceptors';
import { recordHistory } from '../../support/histories';
import { bundleWorkflows, startTimeSkippingServer } from '../../support/time-skipping';

let environment: TestWorkflowEnvironment;
let workflowBundle: WorkflowBundle;

beforeAll(async () => {
  environment = await startTimeSkippingServer();
  workflowBundle = await bundleWorkflows();
});

afterAll(async () => {
  await environment.teardown();
});

/** Runs a check against registers with the given responses; returns the recorded outages and the requests to each. */
async function runWith(
  askRegister: KybActivities['askRegister'],
  providers: KybProviderName[] = ['gleif', 'vies'],
  screenParties: KybScreeningActivities['screenParties'] = () => Promise.resolve('clear'),
): Promise<{ workflowId: string; outages: string[]; asked: string[]; completed: number; screened: number }> {
  const outages: string[] = [];
  const requested: string[] = [];
  let completed = 0;
  let screened = 0;
  const connection = environment.nativeConnection;
  const orchestration = await Worker.create({
    connection,
    taskQueue: QUEUES.orchestration,
    workflowBundle,
    activities: {
      recordKybOutage: ({ provider, reason }: { provider: string; reason: string }) => {
        outages.push(`${provider} ${reason}`);
        return Promise.resolve();
      },
      recordKybScreeningOutage: ({ reason }: { reason: string }) => {
        outages.push(`watch lists ${reason}`);
        return Promise.resolve();
      },
      completeKyb: () => {
        completed += 1;
        return Promise.resolve({ status: 'found', risks: [] });
      },
    },
  });
  const registers = await Worker.create({
    connection,
    taskQueue: SECOND_QUEUES.screening,
    interceptors: POOL_INTERCEPTORS,
    activities: {
      askRegister: (input: { kybId: string; provider: KybProviderName }) => {
        requested.push(input.provider);
        return askRegister(input);
      },
    },
  });
  const screening = await Worker.create({
    connection,
    taskQueue: QUEUES.screening,
    interceptors: POOL_INTERCEPTORS,
    activities: {
      screenParties: (input: { kybId: string }) => {
        screened += 1;
        return screenParties(input);
      },
    },
  });
  const kybId = `kyb_${randomUUID()}`;
  await orchestration.runUntil(
    registers.runUntil(
      screening.runUntil(
        environment.client.workflow.execute('kyb', {
          workflowId: kybId,
          taskQueue: QUEUES.orchestration,
          args: [{ kybId, organisationId: 'org_1', providers }],
        }),
      ),
    ),
  );
  return { workflowId: kybId, outages, asked: requested, completed, screened };
}

const failAsUnavailable = (nextRetryDelay?: number): Promise<never> =>
  Promise.reject(
    ApplicationFailure.create({
      message: 'Away.',
      type: 'register_error',
      ...(nextRetryDelay === undefined ? {} : { nextRetryDelay }),
    }),
  );

describe('the business check', () => {
  test('queries every register and concludes', async () => {
    const done = await runWith(() => Promise.resolve('matched'));
    expect(done).toMatchObject({ outages: [], completed: 1, screened: 1 });
    expect(done.asked.sort()).toEqual(['gleif', 'vies']);
    await recordHistory(environment.client.workflow.getHandle(done.workflowId), 'kyb');
  });

  test('queries an unavailable register four times, records the outage, and concludes from the others', async () => {
    const done = await runWith(({ provider }) => (provider === 'vies' ? failAsUnavailable() : Promise.resolve('none')));
    expect(done).toMatchObject({ outages: ['vies register_error'], completed: 1 });
    expect(done.asked.filter((provider) => provider === 'vies')).toHaveLength(4);
    await recordHistory(environment.client.workflow.getHandle(done.workflowId), 'kyb-outage');
  });

  test('retries a register after the time that it requested', async () => {
    const before = await environment.currentTimeMs();
    let first = true;
    const done = await runWith(() => {
      if (!first) return Promise.resolve('matched');
      first = false;
      return failAsUnavailable(240_000);
    }, ['gleif']);
    expect(done.outages).toEqual([]);
    expect((await environment.currentTimeMs()) - before).toBeGreaterThanOrEqual(240_000);
  });

  test('does not ask again where the question was refused', async () => {
    const rejected = () => Promise.reject(ApplicationFailure.nonRetryable('Refused.', 'register_refused_key'));
    const done = await runWith(rejected, ['companies_house']);
    expect(done).toMatchObject({ outages: ['companies_house register_refused_key'], asked: ['companies_house'] });
  });

  test('notes that the watch lists could not be searched after four attempts, and concludes', async () => {
    const done = await runWith(
      () => Promise.resolve('matched'),
      ['gleif'],
      () => Promise.reject(ApplicationFailure.create({ message: 'Away.', type: 'screening_failed' })),
    );
    expect(done).toMatchObject({ outages: ['watch lists screening_failed'], screened: 4, completed: 1 });
    await recordHistory(environment.client.workflow.getHandle(done.workflowId), 'kyb-unscreened');
  });

  test('concludes without any register, too', async () => {
    expect(await runWith(() => Promise.resolve('none'), [])).toMatchObject({ asked: [], completed: 1 });
  });
});
