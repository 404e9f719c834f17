import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NativeConnection } from '@temporalio/worker';
import { loadConfig } from '../../../lib/config';
import { createConnector, watchConnection } from '../../../workers/connection-watch';

const config = {
  TEMPORAL_ADDRESS: '127.0.0.1:7233',
  MONGO_URL: 'mongodb://127.0.0.1:27017/vouch?replicaSet=vouch',
  S3_ENDPOINT: 'http://127.0.0.1:7070',
  S3_ACCESS_KEY: 'access',
  S3_SECRET_KEY: 'secret',
  MASTER_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  JWT_SECRET: 'a secret of at least thirty-two characters',
};

test('a connection is opened again with TLS files that the user of the process may not read any more', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'vouch-tls-'));
  const caFile = path.join(folder, 'ca.pem');
  writeFileSync(caFile, 'certificate of the authority');
  const opened = jest.spyOn(NativeConnection, 'connect').mockRejectedValue(new Error('no server'));
  const connect = createConnector(loadConfig({ ...config, TEMPORAL_TLS_CA_FILE: caFile }));
  rmSync(folder, { recursive: true });
  await expect(connect()).rejects.toThrow('no server');
  expect(opened).toHaveBeenCalledWith(
    expect.objectContaining({ tls: { serverRootCACertificate: Buffer.from('certificate of the authority') } }),
  );
});

describe('the watch of a connection', () => {
  /** A connection that does not respond. */
  const silent = {
    withDeadline: () => Promise.reject(new Error('silent')),
    get workflowService(): never {
      throw new Error('It is not called.');
    },
  };
  const failure = new Error('The files cannot be read.');
  const fail = (): never => {
    throw failure;
  };

  test('logs the error that ends it', async () => {
    const error = jest.fn();
    const onLost = jest.fn();
    await watchConnection(silent, fail, { signal: new AbortController().signal, logger: { error }, onLost });
    expect(error).toHaveBeenCalledWith({ err: failure }, expect.stringContaining('not watched any more'));
    expect(onLost).not.toHaveBeenCalled();
  });

  test('logs nothing when the worker ends', async () => {
    const error = jest.fn();
    const watch = new AbortController();
    const watching = watchConnection(silent, fail, { signal: watch.signal, logger: { error }, onLost: fail });
    watch.abort();
    await watching;
    expect(error).not.toHaveBeenCalled();
  });
});
