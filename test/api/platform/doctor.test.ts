import { execFile } from 'node:child_process';
import path from 'node:path';
import { HOUR_MS } from '../../../domain/durations';
import { Export } from '../../../models/business/exports/export';
import { Rendition } from '../../../models/business/documents/rendition';
import { Message } from '../../../models/business/messages/message';
import { ReminderSettings } from '../../../models/business/messages/reminder-settings';
import { InvariantCheck } from '../../../models/business/invariants/invariant-check';
import { AmlList } from '../../../models/identity/aml/aml-list';
import { AmlListVersion } from '../../../models/identity/aml/aml-list-version';
import { Session } from '../../../models/identity/sessions/session';
import { Outbox } from '../../../models/platform/transactions/outbox';
import { WebhookEndpoint } from '../../../models/platform/webhooks/webhook-endpoint';
import { newId } from '../../../lib/ids';
import { restartSession } from '../../../services/identity/sessions/restart';
import type { Problem } from '../../../services/platform/diagnosis/problem';
import { createSession, getSession, waitForStatus } from '../../support/identity/identity';
import { pollUntilFound } from '../../support/poll';
import { closeTestPlatform, createTenant, getStartedWorkflow, getTestPlatform } from '../../support/tenant';
import type { Tenant } from '../../support/tenant';

const ROOT = path.join(__dirname, '..', '..', '..');
/** Older than everything else, so that the records of this file are the examples. */
const LONG_AGO = new Date('2001-01-01T00:00:00Z');
/** Not so long that the Schedule which fails abandoned exports, and other tests run too, ends the export. */
const HOURS_AGO = new Date(Date.now() - 3 * HOUR_MS);
const NEVER = new Date('2999-01-01T00:00:00Z');

let tenant: Tenant;

beforeAll(async () => {
  tenant = await createTenant();
});
afterAll(closeTestPlatform);

/** Runs a command as an operator of a container does: with the configuration of a worker. */
const runCommand = (...args: string[]): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: ROOT, env: process.env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr });
    });
  });

/** The problems with this example. */
const findProblems = (problems: readonly Problem[], example: string): Problem[] =>
  problems.filter(({ examples }) => examples.some((each) => each.includes(example)));

describe('npm run doctor', () => {
  const ids = {
    export: newId('exp'),
    endpoint: newId('whk'),
    list: '',
    unprocessedList: '',
    signal: newId('dlv'),
    outbox: newId('obx'),
    version: newId('alv'),
    message: newId('msg'),
    rendition: newId('ren'),
  };
  let sessionId: string;
  let problems: Problem[];

  beforeAll(async () => {
    const { organisationId } = tenant;
    ids.list = `${organisationId}.own`;
    ({ id: sessionId } = await createSession(tenant.identityKey));
    await (await getStartedWorkflow(sessionId)).terminate();
    const step = { feature: 'liveness', attempts: [] as object[] };
    step.attempts.push({
      checkId: newId('chk'),
      at: LONG_AGO,
      origin: 'client',
      outcome: 'processing',
      superseded: false,
    });
    await Session.updateOne(
      { _id: sessionId },
      { $set: { status: 'in_progress', lastActivityAt: LONG_AGO, steps: [step] }, $inc: { version: 1 } },
    );
    // The relay does not take a row that is due in the future.
    await Outbox.create({
      _id: ids.outbox,
      organisationId,
      kind: 'signal',
      workflowId: ids.signal,
      name: 'attemptNow',
      createdAt: LONG_AGO,
      dueAt: NEVER,
    });
    await WebhookEndpoint.collection.insertOne({
      ...{ _id: ids.endpoint as never, organisationId, mode: 'live', url: 'https://gone.example', events: ['*'] },
      ...{ secrets: [], disabledAt: LONG_AGO, disabledReason: 'gone', deletedAt: null, createdAt: LONG_AGO },
    });
    await Export.collection.insertOne({
      ...{ _id: ids.export as never, organisationId, id: 999_999, state: 'running', updatedAt: HOURS_AGO },
      ...{ clearedAt: null, createdAt: LONG_AGO },
    });
    const violations = [{ invariant: 'stock_balances', checked: 9, violations: 2, examples: [] }];
    // A check that started later keeps its results when the Schedule, which other tests run too, checks the company.
    await InvariantCheck.collection.insertOne({
      ...{ _id: organisationId as never, startedAt: NEVER, checkedAt: LONG_AGO, results: violations },
    });
    await Message.collection.insertOne({
      ...{ _id: ids.message as never, organisationId, status: 'queued', nextAttemptAt: LONG_AGO },
    });
    await Rendition.collection.insertOne({
      ...{ _id: ids.rendition as never, organisationId, documentKind: 'invoice', documentId: 7, format: 'pdf' },
      ...{ contentHash: '', generation: 1, status: 'pending', hasOwnWorkflow: false, requestedAt: LONG_AGO },
    });
    await ReminderSettings.collection.insertOne({
      ...{ _id: `${organisationId}.reminders` as never, requestedAt: LONG_AGO },
    });
    await AmlList.create({
      _id: ids.list,
      code: 'own',
      organisationId,
      title: 'Own',
      revision: 1,
      failure: 'list_unreadable',
    });
    ids.unprocessedList = `${organisationId}.unprocessed`;
    await AmlList.create({
      ...{ _id: ids.unprocessedList, code: 'unprocessed', organisationId, title: 'Unprocessed', revision: 1 },
      // Confirmed since, so that the list is not stale.
      ...{ currentVersion: ids.version, importedAt: LONG_AGO, checkedAt: new Date() },
    });
    const none = { added: 0, changed: 0, removed: 0 };
    await AmlListVersion.collection.insertOne({
      ...{ _id: ids.version as never, listId: ids.unprocessedList, status: 'current', format: 'own', pruned: false },
      ...{ sha256: '', objectKey: '', counts: {}, differences: none, importedAt: LONG_AGO, impact: null },
    });
    const { code, output } = await runCommand('dist/scripts/admin.js', 'doctor', '--json');
    expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining('"problems"') as string });
    ({ problems } = JSON.parse(output) as { problems: Problem[] });
  });

  afterAll(async () => {
    await Outbox.deleteOne({ _id: ids.outbox });
    await WebhookEndpoint.deleteOne({ _id: ids.endpoint });
    await Export.deleteOne({ _id: ids.export });
    await InvariantCheck.deleteOne({ _id: tenant.organisationId });
    await AmlList.deleteMany({ _id: { $in: [ids.list, ids.unprocessedList] } });
    await AmlListVersion.deleteOne({ _id: ids.version as never });
    await Message.deleteOne({ _id: ids.message });
    await Rendition.deleteOne({ _id: ids.rendition });
    await ReminderSettings.deleteOne({ _id: `${tenant.organisationId}.reminders` });
  });

  test('exits with code 1 and names each thing that is stuck, since when, and its remedy', () => {
    const areas = {
      [sessionId]: ['sessions', 'sessions'],
      [ids.signal]: ['outbox'],
      [ids.endpoint]: ['deliveries'],
      [ids.export]: ['exports'],
      [ids.message]: ['messages'],
      [`${tenant.organisationId}: invoice 7`]: ['documentRenditions'],
      [`${tenant.organisationId}.reminders`]: ['reminders'],
      [`${tenant.organisationId}: stock_balances (2)`]: ['invariants'],
      [ids.list]: ['lists'],
      [`${ids.unprocessedList} (${ids.version})`]: ['lists'],
    };
    for (const [example, expected] of Object.entries(areas)) {
      const found = findProblems(problems, example);
      expect(found.map(({ area }) => area)).toEqual(expected);
      for (const { count, remedy } of found) expect([count > 0, remedy.length > 20]).toEqual([true, true]);
    }
    expect(findProblems(problems, sessionId).map(({ summary }) => summary)).toEqual([
      'The step liveness of sessions has been processing for more than ten minutes',
      'Open sessions have no running workflow',
    ]);
    expect(findProblems(problems, ids.export)[0]?.since).toBe(HOURS_AGO.toISOString());
  });

  test('a session whose workflow was lost goes on with the next one', async () => {
    const platform = await getTestPlatform();
    // Its check does not exist, so that the session only has to end.
    await Session.updateOne({ _id: sessionId }, { $set: { steps: [{ feature: 'liveness', attempts: [] }] } });
    expect(await restartSession(platform, sessionId)).toBe(`${sessionId}.2`);
    await waitForStatus(tenant.identityKey, sessionId, 'abandoned');
    expect(await restartSession(platform, sessionId)).toBeNull();
    expect((await getSession(tenant.identityKey, sessionId)).status).toBe('abandoned');
  });
});

test('npm run status prints version, processes and pools with their backlog', async () => {
  // Fails while a process takes seconds to respond, as all may on a busy machine.
  const { output } = await pollUntilFound(async () => {
    const result = await runCommand('scripts/status.mjs');
    return result.code === 0 ? result : undefined;
  });
  // Other tests run further processes.
  expect(output).toMatch(/version \d+\.\d+\.\d+; processes: (?=.*\d api)(?=.*\d worker)/);
  for (const pool of ['orchestration', 'vision', 'rendering', 'delivery', 'screening', 'exports']) {
    expect(output).toMatch(new RegExp(`^ {2}${pool} +activity +[1-9]`, 'm'));
  }
});
