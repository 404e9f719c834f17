import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { z } from 'zod';
import { QUEUES } from '../../../workflows/contracts';

/** The module whose schema `docker compose` uses to validate compose files. */
const SCHEMA_MODULE = 'github.com/compose-spec/compose-go/v2@v2.16.2';
const root = path.resolve(__dirname, '..', '..', '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

const composeSchema = z.object({
  services: z.record(
    z.string(),
    z.object({
      image: z.string(),
      command: z.array(z.string()).optional(),
      environment: z.record(z.string(), z.string()).optional(),
      user: z.string().optional(),
      secrets: z.array(z.object({ source: z.string(), uid: z.string(), mode: z.string() })).optional(),
      healthcheck: z.object({ test: z.array(z.string()) }).optional(),
    }),
  ),
  secrets: z.record(z.string(), z.object({ environment: z.string() })),
});

const text = read('docker-compose.yml');
const document: unknown = parse(text, { merge: true });
const { services, secrets: secretFiles } = composeSchema.parse(document);
const ours = Object.entries(services).filter(([, service]) => service.image.startsWith('vouch:'));

/** Values that an operator sets; all other variables have their defaults. */
const OPERATOR: Record<string, string> = {
  PUBLIC_URL: 'https://vouch.example.com',
  TRUSTED_PROXIES: '10.0.0.0/8',
  MONGO_PASSWORD: 'mongo',
  S3_ACCESS_KEY: 'access',
  S3_SECRET_KEY: 'secret',
  MASTER_KEY: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  JWT_SECRET: 'j'.repeat(48),
};

const VARIABLE = /\$\{([A-Z0-9_]+)(?::([-?])([^}]*))?\}/g;

/** Interpolates `${NAME:-default}` and `${NAME:?message}` as compose does. */
function interpolate(value: string): string {
  return value.replace(VARIABLE, (whole, name: string, kind: string | undefined, rest: string | undefined) => {
    const operatorValue = OPERATOR[name];
    if (operatorValue !== undefined) return operatorValue;
    if (kind !== '-') throw new Error(`${whole} has no value`);
    return rest ?? '';
  });
}

/** What compose mounts at /run/secrets. */
let mounted: string;
beforeAll(() => {
  mounted = mkdtempSync(path.join(tmpdir(), 'vouch-compose-'));
  for (const [name, { environment }] of Object.entries(secretFiles))
    writeFileSync(path.join(mounted, name), OPERATOR[environment] ?? '');
});
afterAll(() => rmSync(mounted, { recursive: true, force: true }));

const hasGo = spawnSync('go', ['version']).status === 0;
const withGo = hasGo ? test : test.skip;

withGo('the compose file is valid against the schema of docker compose', () => {
  const described = execFileSync('go', ['mod', 'download', '-json', SCHEMA_MODULE], { cwd: '/', encoding: 'utf8' });
  const { Dir } = z.object({ Dir: z.string() }).parse(JSON.parse(described));
  const schema = z
    .record(z.string(), z.unknown())
    .parse(JSON.parse(readFileSync(path.join(Dir, 'schema', 'compose-spec.json'), 'utf8')));
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  const fits = ajv.compile(schema);
  fits(document);
  expect(fits.errors ?? []).toEqual([]);
  const { api } = services;
  expect(fits({ services: { api: { ...api, comand: ['node'] } } })).toBe(false);
});

test('every pool has its own service, so that --scale affects only that pool', () => {
  const pools = ours.flatMap(([, { command }]) => command?.filter((part) => part.startsWith('--pools=')) ?? []);
  expect(pools.sort()).toEqual(
    Object.keys(QUEUES)
      .map((pool) => `--pools=${pool}`)
      .sort(),
  );
});

test.each(ours)('%s has a command that exists and accepts its environment', (_name, { command, environment }) => {
  const [program, entry, ...rest] = command ?? [];
  expect(program).toBe('node');
  expect(existsSync(path.join(root, entry ?? ''))).toBe(true);
  const env = Object.fromEntries(
    Object.entries(environment ?? {}).map(([name, value]) => [
      name,
      interpolate(value).replace('/run/secrets', mounted),
    ]),
  );
  const checked = spawnSync(process.execPath, [entry ?? '', ...rest, '--check'], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...env },
    encoding: 'utf8',
  });
  expect({ status: checked.status, stderr: checked.stderr }).toEqual({ status: 0, stderr: '' });
});

test('no secret has a default: compose does not start until each is set', () => {
  expect(Object.keys(secretFiles).sort()).toEqual(['jwt_secret', 'master_key', 'mongo_password', 's3_secret_key']);
  // A path of a file is no secret.
  const secrets = [...text.matchAll(VARIABLE)].filter(([, name = '']) =>
    /(PASSWORD|SECRET|ACCESS_KEY|MASTER_KEY|SET_KEY)(?!.*_FILE$)/.test(name),
  );
  expect(new Set(secrets.map(([, name]) => name)).size).toBeGreaterThan(4);
  expect(secrets.filter(([, , kind]) => kind !== '?')).toEqual([]);
});

test('secrets are files of the user that reads them, and workers change to another user', () => {
  for (const [name, { user, environment, secrets }] of ours) {
    const worker = name !== 'api';
    expect(secrets?.map(({ source }) => source).sort()).toEqual(Object.keys(secretFiles).sort());
    expect(new Set(secrets?.map(({ uid, mode }) => `${uid} ${mode}`))).toEqual(
      new Set([worker ? '0 0400' : '1000 0400']),
    );
    expect([user, environment?.['RUN_AS']]).toEqual(worker ? ['root', '1000:1000'] : [undefined, undefined]);
  }
});

test('every long-running service has a health check, or its image has one', () => {
  const withoutCheck = Object.entries(services).filter(([, service]) => service.healthcheck === undefined);
  // Three end when their work is done; no service depends on the web interface.
  expect(withoutCheck.map(([name]) => name).sort()).toEqual([
    'mongo-initiate',
    'temporal-namespace',
    'temporal-schema',
    'temporal-ui',
  ]);
});

test('task queues have the same fairness settings in the containers and on the development server', () => {
  const script = `import { TEMPORAL_DYNAMIC_CONFIG as c } from './scripts/stack/engines.mjs'; console.log(JSON.stringify(c));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8' });
  const development = z.record(z.string(), z.unknown()).parse(JSON.parse(output));
  const containers = z
    .record(z.string(), z.array(z.object({ value: z.unknown() })))
    .parse(parse(read('deploy/temporal/dynamicconfig.yaml')));
  for (const [name, [constraint]] of Object.entries(containers))
    expect({ [name]: constraint?.value }).toEqual({ [name]: development[name] });
  expect(Object.keys(containers)).toEqual(
    expect.arrayContaining(['matching.useNewMatcher', 'matching.enableFairness']),
  );
});
