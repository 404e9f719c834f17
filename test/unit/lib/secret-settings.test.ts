import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { configurationSchema } from '../../../lib/config';
import { addMongoPassword, readSecretFiles, requireHiddenSecrets, SECRET_SETTINGS } from '../../../lib/secret-settings';
import { evaluate } from '../../support/evaluate';

/** Paths and names of keys. */
const NO_SECRETS = new Set(['TLS_KEY', 'GCP_KMS_KEY', 'VAULT_TRANSIT_KEY']);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vouch-secrets-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('every secret can be given as a file; a value has precedence, and an empty file counts as not set', () => {
  const settings = Object.keys(configurationSchema.shape);
  expect(settings).toEqual(expect.arrayContaining(SECRET_SETTINGS.map((name) => `${name}_FILE`)));
  const file = path.join(folder, 'secret');
  writeFileSync(file, 'from a file\n');
  const env = Object.fromEntries(SECRET_SETTINGS.map((name) => [`${name}_FILE`, file]));
  expect(readSecretFiles(env)).toMatchObject(Object.fromEntries(SECRET_SETTINGS.map((name) => [name, 'from a file'])));
  expect(readSecretFiles({ ...env, JWT_SECRET: 'given' })['JWT_SECRET']).toBe('given');
  const empty = path.join(folder, 'empty');
  writeFileSync(empty, '\n');
  expect(readSecretFiles({ METRICS_TOKEN_FILE: empty })['METRICS_TOKEN']).toBe('');
  expect(() => readSecretFiles({ S3_SECRET_KEY_FILE: path.join(folder, 'none') })).toThrow(/^S3_SECRET_KEY_FILE/);
});

test('every setting whose name says that it is a secret counts as one', () => {
  const named = Object.keys(configurationSchema.shape).filter((name) => /(SECRET|PASSWORD|TOKEN|_KEY)$/.test(name));
  expect(named.filter((name) => !NO_SECRETS.has(name) && !SECRET_SETTINGS.includes(name))).toEqual([]);
});

test('the launcher passes none of them on to processes that need no secrets', () => {
  const env = Object.fromEntries(SECRET_SETTINGS.map((name) => [name, 'mongodb://user:password@host/vouch']));
  const kept = evaluate(
    `import { removeSecrets } from './scripts/stack/home.mjs';`,
    `removeSecrets(${JSON.stringify(env)})`,
  );
  expect(kept).toEqual({});
});

test.each([
  [{ MASTER_KEY: 'k1:x', S3_SECRET_KEY: 'x' }, /S3_SECRET_KEY, MASTER_KEY: .*S3_SECRET_KEY_FILE, MASTER_KEY_FILE/],
  [{ MONGO_URL: 'mongodb://vouch:password@host/vouch' }, /MONGO_URL_FILE/],
])('in production %j in the environment is refused, naming what to set', (env, message) => {
  expect(() => requireHiddenSecrets({ NODE_ENV: 'production', ...env })).toThrow(message);
  expect(() => requireHiddenSecrets({ NODE_ENV: 'development', ...env })).not.toThrow();
});

test('an address without password and the name of an access key are no secrets', () => {
  const env = { MONGO_URL: 'mongodb://vouch@host/vouch', S3_ACCESS_KEY: 'vouch', MASTER_KEY_FILE: '/run/secrets/key' };
  expect(() => requireHiddenSecrets({ NODE_ENV: 'production', ...env })).not.toThrow();
});

test('the password of MongoDB is added to the user of its address', () => {
  const added = addMongoPassword('mongodb://vouch@a:1,b:2/vouch?replicaSet=x', 'p@ss/word');
  expect(added).toBe('mongodb://vouch:p%40ss%2Fword@a:1,b:2/vouch?replicaSet=x');
  expect(addMongoPassword('mongodb://host/vouch', 'p')).toBe('mongodb://host/vouch');
  expect(addMongoPassword('mongodb://u:q@host/vouch', undefined)).toBe('mongodb://u:q@host/vouch');
});

test('npm start uses the MongoDB that MONGO_URL_FILE names; the stack of npm test never does', () => {
  const file = path.join(folder, 'mongo-url');
  writeFileSync(file, 'mongodb://vouch:password@host/vouch\n');
  const env = JSON.stringify({ MONGO_URL_FILE: file, MONGO_PASSWORD: 'x', MONGO_PASSWORD_FILE: file });
  const result = evaluate(
    `import { readMongoUrlFile } from './scripts/stack/home.mjs';
     import { testEnvironment } from './scripts/checks/test-stack.mjs';`,
    `[(await readMongoUrlFile(${env})).MONGO_URL, Object.keys(testEnvironment(${env})).filter((name) => name.startsWith('MONGO'))]`,
  );
  expect(result).toEqual(['mongodb://vouch:password@host/vouch', []]);
});
