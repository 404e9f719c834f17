import { Readable } from 'node:stream';
import { newId } from '../../../../lib/ids';
import { RegisterImport } from '../../../../models/identity/registers/register-import';
import { RegisterPerson } from '../../../../models/identity/registers/register-person';
import { beginAttempt } from '../../../../services/identity/registers/attempts';
import type { ImportAttempt } from '../../../../services/identity/registers/attempts';
import { draftImport } from '../../../../services/identity/registers/imports';
import { failImport, importRows, runImport } from '../../../../services/identity/registers/run-import';
import type { ImportSummary } from '../../../../services/identity/registers/run-import';
import { call } from '../../../support/client';
import { closeTestPlatform, createIdentityTenant, getTestPlatform } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';

const HEADER = 'country,idNumber,firstName,lastName\n';
const buildRows = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_row, at) => `FI,P-${from + at},Liisa,Virtanen\n`).join('');
const BATCH_ROWS = 1000;
/** More rows than one batch. */
const ROWS = 1500;

describe('attempts at an import of a register', () => {
  let tenant: IdentityTenant;
  beforeAll(async () => {
    tenant = await createIdentityTenant('Register attempts');
    await getTestPlatform();
  });
  afterAll(closeTestPlatform);

  const draft = async (): Promise<string> => {
    const platform = await getTestPlatform();
    const scope = { organisationId: tenant.organisationId, mode: 'live' } as const;
    const fields = {
      _id: newId('reg'),
      kind: 'persons',
      sha256: '0'.repeat(64),
      bytes: 1,
      createdBy: 'system',
    } as const;
    await RegisterImport.create(draftImport(platform, scope, fields));
    return fields._id;
  };
  const begin = async (id: string): Promise<ImportAttempt> => {
    const attempt = await beginAttempt(id);
    if (attempt === null) throw new Error(`${id} has ended`);
    return attempt;
  };
  const countRows = (registerId: string): Promise<number> => RegisterPerson.countDocuments({ registerId });
  /** Imports a file, and calls `meanwhile` after its first batch. */
  async function importWith(attempt: ImportAttempt, meanwhile: () => Promise<void>): Promise<ImportSummary> {
    async function* read() {
      yield Buffer.from(HEADER + buildRows(0, 1200));
      while ((await countRows(attempt.version._id)) < BATCH_ROWS);
      await meanwhile();
      yield Buffer.from(buildRows(1200, ROWS));
    }
    return importRows(await getTestPlatform(), attempt, Readable.from(read()));
  }
  const importWhole = async (attempt: ImportAttempt): Promise<ImportSummary> =>
    importRows(await getTestPlatform(), attempt, Readable.from([Buffer.from(HEADER + buildRows(0, ROWS))]));
  const readStatus = async (id: string): Promise<unknown> => {
    const { body } = await call('GET', `/v1/registers/${id}`, { key: tenant.identityKey });
    return (body['register'] as { status: string }).status;
  };

  test('an attempt that goes on after a later one has ended leaves the rows of that one', async () => {
    const id = await draft();
    const summary = await importWith(await begin(id), async () => {
      expect(await importWhole(await begin(id))).toMatchObject({ status: 'active', imported: ROWS, rejected: 0 });
    });
    expect(summary).toMatchObject({ status: 'active', imported: ROWS, rejected: 0 });
    expect(await countRows(id)).toBe(ROWS);
  });

  test('an attempt cannot activate the version while a later one writes its rows', async () => {
    const id = await draft();
    const first = await begin(id);
    const later = await importWith(await begin(id), async () => {
      await expect(importWhole(first)).rejects.toThrow('Attempt 1');
      expect(await readStatus(id)).toBe('importing');
    });
    expect(later).toMatchObject({ status: 'active', imported: ROWS, rejected: 0 });
    expect(await countRows(id)).toBe(ROWS);
  });

  test('an attempt removes the rows that an interrupted one has left', async () => {
    const id = await draft();
    const interrupted = importWith(await begin(id), () => Promise.reject(new Error('the process ended')));
    await expect(interrupted).rejects.toThrow('the process ended');
    expect(await countRows(id)).toBe(BATCH_ROWS);
    expect(await importWhole(await begin(id))).toMatchObject({ status: 'active', imported: ROWS, rejected: 0 });
  });

  test('an attempt that goes on after the import failed neither activates it nor leaves rows', async () => {
    const id = await draft();
    const summary = await importWith(await begin(id), async () => failImport(await getTestPlatform(), id, 'timed_out'));
    expect(summary).toMatchObject({ status: 'failed', failure: 'timed_out' });
    expect(await readStatus(id)).toBe('failed');
    expect(await countRows(id)).toBe(0);
  });

  test('a repeated import removes the rows of the replaced version that an interrupted one has left', async () => {
    const platform = await getTestPlatform();
    const [replaced, active] = [await draft(), await draft()];
    await importWhole(await begin(replaced));
    // The process ends once the version is active, before it has removed the rows of the other one.
    const spy = jest.spyOn(RegisterPerson, 'deleteMany').mockImplementation(() => {
      throw new Error('the process ended');
    });
    await expect(importWhole(await begin(active))).rejects.toThrow('the process ended');
    spy.mockRestore();
    expect([await readStatus(active), await countRows(replaced)]).toEqual(['active', ROWS]);
    expect(await runImport(platform, active)).toMatchObject({ status: 'active', imported: ROWS });
    expect([await countRows(active), await countRows(replaced)]).toEqual([ROWS, 0]);
  });

  test('a version that is deleted during its import leaves the active version in use', async () => {
    const active = await draft();
    await importWhole(await begin(active));
    const deleted = await draft();
    const summary = await importWith(await begin(deleted), async () => {
      expect((await call('DELETE', `/v1/registers/${deleted}`, { key: tenant.identityKey })).status).toBe(200);
    });
    expect(summary.status).toBe('erased');
    expect(await readStatus(active)).toBe('active');
    expect(await countRows(active)).toBe(ROWS);
    expect(await countRows(deleted)).toBe(0);
  });
});
