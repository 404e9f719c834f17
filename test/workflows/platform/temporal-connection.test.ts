import { randomBytes, randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { WorkflowBundle } from '@temporalio/worker';
import { loadConfig } from '../../../lib/config';
import type { Config } from '../../../lib/config';
import { MasterKey } from '../../../lib/crypto/master-key';
import { buildTemporalConnectionOptions, createTemporalClient, pingTemporal } from '../../../lib/temporal';
import { createDataConverter } from '../../../lib/temporal-payloads';
import { QUEUES } from '../../../workflows/contracts';
import { readHistoryTexts } from '../../support/histories';
import { bundleWorkflows, startTimeSkippingServer } from '../../support/time-skipping';
import { createTestAuthority, SERVER_NAME, startApiKeyProxy, startTlsProxy } from '../../support/tls-proxy';
import type { TestAuthority, TlsProxy } from '../../support/tls-proxy';

/** In the argument, the result and the message of a failure; no production code has such payloads. */
const MARKER = 'Ada Lovelace';
const WORKFLOW = 'sealAudit';
const SUMMARY = 'Seal the audit log';
const formatKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;
const [OLD, NEW] = [formatKey('k1'), formatKey('k2')];

const base = {
  MONGO_URL: 'mongodb://127.0.0.1:27017/vouch?replicaSet=vouch',
  S3_ENDPOINT: 'http://127.0.0.1:7070',
  S3_ACCESS_KEY: 'access',
  S3_SECRET_KEY: 'secret',
  MASTER_KEY: OLD,
  JWT_SECRET: 'a secret of at least thirty-two characters',
};

let environment: TestWorkflowEnvironment;
let workflowBundle: WorkflowBundle;

beforeAll(async () => {
  environment = await startTimeSkippingServer();
  workflowBundle = await bundleWorkflows();
});
afterAll(() => environment.teardown());

const configure = (variables: Record<string, string>): Config =>
  loadConfig({ ...base, TEMPORAL_ADDRESS: environment.address, NODE_ENV: 'production', ...variables });

interface Participant {
  config: Config;
  masterKey: MasterKey;
}

const withKeys = (masterKeys: string, variables: Record<string, string> = {}): Participant => ({
  config: configure(variables),
  masterKey: MasterKey.parse(masterKeys),
});

async function withClient<T>({ config, masterKey }: Participant, use: (client: Client) => Promise<T>): Promise<T> {
  const client = createTemporalClient(config, masterKey);
  try {
    return await use(client);
  } finally {
    await client.connection.close();
  }
}

interface Activities {
  sealAuditLog: () => Promise<unknown>;
}

async function withWorker<T>(
  { config, masterKey }: Participant,
  activities: Activities,
  use: () => Promise<T>,
): Promise<T> {
  const connection = await NativeConnection.connect(buildTemporalConnectionOptions(config));
  try {
    const worker = await Worker.create({
      connection,
      namespace: config.TEMPORAL_NAMESPACE,
      taskQueue: QUEUES.orchestration,
      dataConverter: createDataConverter(config, masterKey),
      workflowBundle,
      activities,
    });
    return await worker.runUntil(use());
  } finally {
    await connection.close();
  }
}

const start = (client: Client, workflowId: string) =>
  client.workflow.start(WORKFLOW, {
    workflowId,
    taskQueue: QUEUES.orchestration,
    args: [{ name: MARKER }],
    staticSummary: SUMMARY,
  });

const readHistory = (workflowId: string): Promise<string> =>
  readHistoryTexts(environment.client.workflow.getHandle(workflowId));

/** Fails once, then returns. */
function createActivities(): Activities {
  let runs = 0;
  return {
    sealAuditLog: () => {
      runs += 1;
      if (runs === 1) throw ApplicationFailure.retryable(`${MARKER} could not be sealed.`);
      return Promise.resolve({ name: MARKER });
    },
  };
}

const failing: Activities = {
  sealAuditLog: () => Promise.reject(ApplicationFailure.nonRetryable(`${MARKER} was refused.`)),
};

async function runWorkflow(starter: Participant, worker: Participant, activities: Activities): Promise<string> {
  const workflowId = `connection-${randomUUID()}`;
  await withClient(starter, async (client) => {
    const handle = await start(client, workflowId);
    await withWorker(worker, activities, () => handle.result());
  });
  return workflowId;
}

describe('payloads in the history of a workflow', () => {
  test('are not readable in production: arguments, results, failures of activities and of the workflow', async () => {
    const production = withKeys(OLD);
    expect(production.config.TEMPORAL_PAYLOAD_ENCRYPTION).toBe(true);
    const history = await readHistory(await runWorkflow(production, production, createActivities()));
    expect(history).toContain('binary/encrypted');
    expect(history).not.toContain('Ada');
    // The summary of the workflow is the only text for operators.
    expect(history.match(/json\/plain/g)).toHaveLength(1);
    expect(history).toContain(SUMMARY);

    const workflowId = `connection-${randomUUID()}`;
    await withClient(production, async (client) => {
      const handle = await start(client, workflowId);
      const ended = withWorker(production, failing, () => handle.result());
      await expect(ended).rejects.toMatchObject({ cause: { cause: { message: `${MARKER} was refused.` } } });
    });
    expect(await readHistory(workflowId)).not.toContain('Ada');
  });

  test('leave the workflow metadata with the current details readable for operators', async () => {
    const production = withKeys(OLD);
    const workflowId = `connection-${randomUUID()}`;
    await withClient(production, async (client) => {
      const handle = await start(client, workflowId);
      await withWorker(production, createActivities(), async () => {
        await handle.result();
        // A client without keys, like the Temporal UI.
        const reader = environment.client.workflow.getHandle(workflowId);
        const metadata = await reader.query('__temporal_workflow_metadata');
        expect(metadata).toMatchObject({ definition: { type: WORKFLOW }, currentDetails: '' });
      });
    });
  });

  test('are readable without encryption', async () => {
    const plain = withKeys(OLD, { TEMPORAL_PAYLOAD_ENCRYPTION: 'false' });
    expect(await readHistory(await runWorkflow(plain, plain, createActivities()))).toContain(MARKER);
    expect(configure({ NODE_ENV: 'development' }).TEMPORAL_PAYLOAD_ENCRYPTION).toBe(false);
  });

  test('a workflow that was started without encryption goes on with it', async () => {
    const plain = withKeys(OLD, { TEMPORAL_PAYLOAD_ENCRYPTION: 'false' });
    const history = await readHistory(await runWorkflow(plain, withKeys(OLD), createActivities()));
    expect(history).toContain('binary/encrypted');
  });

  test('a workflow goes on after the master key was rotated and the earlier one removed', async () => {
    const successor = withKeys(NEW);
    const derived = MasterKey.parse(OLD).deriveKey('temporal-payload', 'k1');
    successor.masterKey.addRetainedKey('temporal-payload', 'k1', derived);
    const workflowId = `connection-${randomUUID()}`;
    await withClient(withKeys(OLD), (client) => start(client, workflowId));
    const result: unknown = await withClient(successor, (client) =>
      withWorker(successor, createActivities(), () => client.workflow.getHandle(workflowId).result()),
    );
    expect(result).toEqual({ name: MARKER });
  });
});

describe('TLS to Temporal with a private authority and client certificates', () => {
  let authority: TestAuthority;
  let proxy: TlsProxy;

  beforeAll(async () => {
    authority = await createTestAuthority();
    proxy = await startTlsProxy(environment.address, authority);
  });
  afterAll(async () => {
    await proxy.close();
    authority.remove();
  });

  const withTls = (variables: Record<string, string> = {}): Participant =>
    withKeys(OLD, {
      TEMPORAL_ADDRESS: proxy.address,
      TEMPORAL_TLS_CA_FILE: authority.caFile,
      TEMPORAL_TLS_CERT_FILE: authority.clientCertFile,
      TEMPORAL_TLS_KEY_FILE: authority.clientKeyFile,
      TEMPORAL_TLS_SERVER_NAME: SERVER_NAME,
      ...variables,
    });

  test('client and worker run a workflow over it', async () => {
    const before = proxy.accepted;
    await runWorkflow(withTls(), withTls(), createActivities());
    expect(proxy.accepted).toBeGreaterThanOrEqual(before + 2);
  });

  test.each<[string, () => Record<string, string>]>([
    ['without the authority', () => ({ TEMPORAL_TLS_CA_FILE: '' })],
    ['without a client certificate', () => ({ TEMPORAL_TLS_CERT_FILE: '', TEMPORAL_TLS_KEY_FILE: '' })],
    [
      'with a client certificate of another authority',
      () => ({ TEMPORAL_TLS_CERT_FILE: authority.foreignCertFile, TEMPORAL_TLS_KEY_FILE: authority.foreignKeyFile }),
    ],
    ['with another server name', () => ({ TEMPORAL_TLS_SERVER_NAME: 'other.test' })],
  ])('%s neither a client nor a worker can connect', async (_name, change) => {
    const participant = withTls(change());
    const before = proxy.accepted;
    await withClient(participant, (client) => expect(pingTemporal(client, 'default')).rejects.toThrow());
    await expect(NativeConnection.connect(buildTemporalConnectionOptions(participant.config))).rejects.toThrow();
    expect(proxy.accepted).toBe(before);
  });

  test('a certificate without its key, or a missing file, is named', () => {
    const read = (variables: Record<string, string>) => () => buildTemporalConnectionOptions(withTls(variables).config);
    expect(read({ TEMPORAL_TLS_KEY_FILE: '' })).toThrow('TEMPORAL_TLS_CERT_FILE and TEMPORAL_TLS_KEY_FILE');
    expect(read({ TEMPORAL_TLS_CA_FILE: '/missing.pem' })).toThrow('TEMPORAL_TLS_CA_FILE: cannot be read');
  });
});

describe('TLS to Temporal with an API key, as of Temporal Cloud', () => {
  const API_KEY = 'a-key-of-a-service-account';
  let authority: TestAuthority;
  let proxy: TlsProxy;

  beforeAll(async () => {
    authority = await createTestAuthority();
    proxy = await startApiKeyProxy(environment.address, authority, API_KEY);
  });
  afterAll(async () => {
    await proxy.close();
    authority.remove();
  });

  const withApiKey = (key: string): Participant =>
    withKeys(OLD, {
      TEMPORAL_ADDRESS: proxy.address,
      TEMPORAL_TLS_CA_FILE: authority.caFile,
      TEMPORAL_TLS_SERVER_NAME: SERVER_NAME,
      TEMPORAL_API_KEY: key,
    });

  test('client and worker run a workflow with the key', async () => {
    await runWorkflow(withApiKey(API_KEY), withApiKey(API_KEY), createActivities());
    expect(proxy.accepted).toBeGreaterThan(2);
  });

  test('neither a client nor a worker can connect with another key', async () => {
    const before = proxy.accepted;
    const participant = withApiKey('another-key');
    await withClient(participant, (client) => expect(pingTemporal(client, 'default')).rejects.toThrow());
    await expect(NativeConnection.connect(buildTemporalConnectionOptions(participant.config))).rejects.toThrow();
    expect(proxy.accepted).toBe(before);
  });
});
