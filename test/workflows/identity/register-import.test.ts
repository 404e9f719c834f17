import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import type { RegisterImportActivities } from '../../../activities/screening/registers';
import { QUEUES } from '../../../workflows/contracts';
import { recordHistory } from '../../support/histories';
import { PoolWorkflowRunner } from '../../support/pool-workflow';

let imports: PoolWorkflowRunner;

beforeAll(async () => {
  imports = await PoolWorkflowRunner.start({
    name: 'registerImport',
    queue: QUEUES.screening,
    activity: 'runRegisterImport',
    failure: 'failRegisterImport',
  });
});
afterAll(() => imports.stop());

/** Runs one import with the given reader. */
const runWith = (
  reader: () => ReturnType<RegisterImportActivities['runRegisterImport']>,
  registerId = `reg_${randomUUID()}`,
) => imports.run(registerId, { registerId, organisationId: 'org_1' }, reader);

describe('the import of a register', () => {
  test('ends when the screening pool has read the file', async () => {
    const registerId = `reg_${randomUUID()}`;
    const read = () => Promise.resolve({ status: 'active' as const, imported: 810, rejected: 1, failure: null });
    expect(await runWith(read, registerId)).toEqual({ ended: 'completed', failures: [], runs: 1 });
    await recordHistory(imports.getHandle(registerId), 'register-import');
  });

  test('tries four times where the database is away, then gives up and says why', async () => {
    const away = () => Promise.reject(ApplicationFailure.retryable('Away.', 'MongoNetworkError'));
    expect(await runWith(away)).toMatchObject({ failures: ['MongoNetworkError'], runs: 4 });
  });
});
