import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findServiceEnvironment, getServiceEnvironment } from '../../../scripts/demo/running-service';

let folder: string;

/** run.json of a service that runs, with its MongoDB. */
function writeRunFile(): string {
  const file = path.join(folder, 'run.json');
  const environment = { MONGO_URL: 'mongodb://127.0.0.1:1/vouch', S3_ENDPOINT: 'http://127.0.0.1:2' };
  writeFileSync(file, JSON.stringify({ pids: { api: process.pid }, environment }));
  return file;
}

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vouch-run-'));
  delete process.env['MONGO_URL'];
  delete process.env['MONGO_URL_FILE'];
  process.env['VOUCH_RUN'] = writeRunFile();
});
afterEach(() => rmSync(folder, { recursive: true }));

test.each([{ MONGO_URL: 'mongodb://db.example/vouch' }, { MONGO_URL_FILE: '/run/secrets/mongo_url' }])(
  'a command uses the installation that the environment names, not the running service: %j',
  (named) => {
    Object.assign(process.env, named);
    for (const environment of [getServiceEnvironment(), findServiceEnvironment()])
      expect(environment).toEqual({ ...process.env, ...named });
  },
);

test('a command uses the running service if the address of MongoDB is not set or empty', () => {
  for (const address of [undefined, '']) {
    if (address !== undefined) Object.assign(process.env, { MONGO_URL: address, MONGO_URL_FILE: address });
    expect(getServiceEnvironment()).toMatchObject({ MONGO_URL: 'mongodb://127.0.0.1:1/vouch' });
  }
});

test('a command that needs an installation says how to start one; any other uses its own environment', () => {
  process.env['VOUCH_RUN'] = path.join(folder, 'none.json');
  process.env['VOUCH_HOME'] = folder;
  expect(() => getServiceEnvironment()).toThrow(/^No service is running in .*; start it with npm start\.$/);
  expect(findServiceEnvironment()).toEqual(process.env);
});
