import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { configurationSchema } from '../../../lib/config';
import { SECRET_SETTINGS } from '../../../lib/secret-settings';
import { QUEUES } from '../../../workflows/contracts';
import { createComposeFolder, createSecrets, hasGo, mountSecrets, resolveCompose } from '../../support/compose';
import type { ComposeProject, ComposeService } from '../../support/compose';
import { evaluate } from '../../support/evaluate';

const root = path.resolve(__dirname, '..', '..', '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const POOLS = Object.keys(QUEUES);
/** Commands for maintenance, which share one user of MongoDB. */
const MAINTENANCE = ['maintenance', 'migrate'];
const OURS = ['admin', 'api', ...MAINTENANCE, ...POOLS];

/** Settings that the image or the compose file decides. */
const FIXED = ['NODE_ENV', 'HOST', 'PORT', 'WORKER_HEALTH_PORT', 'RUN_AS', 'MODELS_DIR', 'CHROMIUM_PATH', 'UPLOAD_DIR'];
/** Settings that only some services get, because the others have no use for them. */
const OF_SERVICES: Readonly<Record<string, readonly string[]>> = {
  AUDIT_HEAD_WEBHOOK_URL: ['orchestration'],
};
const SECRET_FILES = SECRET_SETTINGS.map((name) => `${name}_FILE`);
const PLAIN = Object.keys(configurationSchema.shape).filter(
  (name) => ![...FIXED, ...SECRET_SETTINGS, ...SECRET_FILES].includes(name) || name === 'MONGO_URL',
);

const withGo = hasGo ? describe : describe.skip;
const folders: string[] = [];
const open = (settings: string): string => {
  const folder = createComposeFolder(settings);
  folders.push(folder);
  return folder;
};
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

withGo('the compose file', () => {
  let folder: string;
  let project: ComposeProject;
  const get = (name: string): ComposeService => {
    const service = project.services[name];
    if (service === undefined) throw new Error(`There is no service ${name}.`);
    return service;
  };
  beforeAll(() => {
    folder = open(read('.env.example'));
    project = resolveCompose(folder);
  });

  test('passes every documented setting of .env to its services', () => {
    const probed = resolveCompose(open(PLAIN.map((name) => `${name}=probe-${name}\n`).join('')));
    for (const name of PLAIN) {
      const expected = OF_SERVICES[name] ?? OURS;
      const reached = OURS.filter((each) => probed.services[each]?.environment[name] === `probe-${name}`);
      expect({ [name]: reached.sort() }).toEqual({ [name]: [...expected].sort() });
    }
  });

  test('.env does not change where processes listen and what their health checks ask', () => {
    const names = ['HOST', 'PORT', 'WORKER_HEALTH_PORT'] as const;
    const { services } = resolveCompose(open(`PUBLIC_URL=x\n${names.map((name) => `${name}=9999\n`).join('')}`));
    for (const name of ['api', ...POOLS]) {
      const { HOST: host, PORT: port, WORKER_HEALTH_PORT: healthPort } = services[name]?.environment ?? {};
      const asked = healthPort === '' ? port : healthPort;
      expect({ name, host, asked }).toEqual({ name, host: '0.0.0.0', asked: name === 'api' ? '3000' : '9100' });
    }
  });

  test('does not start without PUBLIC_URL, and says so', () => {
    expect(() => resolveCompose(open('LOG_LEVEL=warn\n'))).toThrow(/PUBLIC_URL is missing a value: the public address/);
  });

  test('has a service for each pool, so that --scale affects only that pool, and the API can be scaled too', () => {
    const pools = Object.entries(project.services).flatMap(([name, { command }]) =>
      (command ?? []).filter((part) => part.startsWith('--pools=')).map((part) => [name, part]),
    );
    expect(pools.sort()).toEqual(POOLS.map((pool) => [pool, `--pools=${pool}`]).sort());
    for (const name of ['api', ...POOLS]) expect(get(name)).toMatchObject({ ports: [], deploy: {} });
    for (const { container_name: name } of Object.values(project.services)) expect(name ?? null).toBeNull();
  });

  test('gives each service a command that exists and accepts its environment', () => {
    const secrets = createSecrets(folder);
    for (const name of ['api', ...POOLS]) {
      const [program, entry = '', ...rest] = get(name).command ?? [];
      expect([program, existsSync(path.join(root, entry))]).toEqual(['node', true]);
      const env = mountSecrets(get(name), secrets, path.join(folder, 'mounted', name));
      const checked = spawnSync(process.execPath, [entry, ...rest, '--check'], {
        cwd: root,
        env: { PATH: process.env['PATH'], ...env },
        encoding: 'utf8',
      });
      expect({ name, status: checked.status, stderr: checked.stderr }).toEqual({ name, status: 0, stderr: '' });
    }
  });

  test('gives each service only the secrets that it needs, and its own user of MongoDB', () => {
    const everywhere = ['master_key', 's3_secret_key', 'temporal_api_key', 'vault_secret_id', 'vault_token'];
    const others: Record<string, string[]> = {
      admin: ['jwt_secret'],
      maintenance: ['backup_key'],
      api: ['companies_house_api_key', 'jwt_secret', 'metrics_token'],
      ...Object.fromEntries(POOLS.map((pool) => [pool, ['metrics_token']])),
      orchestration: ['audit_head_webhook_secret', 'metrics_token'],
      screening: ['companies_house_api_key', 'metrics_token'],
    };
    for (const name of OURS) {
      const { secrets, environment } = get(name);
      const user = MAINTENANCE.includes(name) ? 'maintenance' : name;
      expect({ [name]: secrets.map(({ source }) => source).sort() }).toEqual({
        [name]: [...everywhere, ...(others[name] ?? []), `mongo_${user}_password`].sort(),
      });
      expect(environment['MONGO_URL']).toContain(`//vouch-${user}@`);
      const files = Object.entries(environment).filter(
        ([setting, value]) => SECRET_FILES.includes(setting) || value?.startsWith('/run/secrets/') === true,
      );
      const targets = secrets.map(({ target }) => path.basename(target)).sort();
      expect(files.map(([, file]) => path.basename(file ?? '')).sort()).toEqual(targets);
    }
    const engines = Object.entries(project.services).filter(([name]) => !OURS.includes(name));
    expect(Object.fromEntries(engines.map(([name, { secrets }]) => [name, secrets.length]))).toMatchObject({
      caddy: 0,
      mongo: 1,
      'mongo-initiate': POOLS.length + 4,
      postgres: 1,
      temporal: 1,
      'temporal-ui': 0,
      versitygw: 1,
    });
  });

  test('runs the migrations once before API and workers start, and again whenever they are updated or scaled', () => {
    for (const name of ['api', ...POOLS])
      expect(get(name).depends_on).toMatchObject({ migrate: { condition: 'service_completed_successfully' } });
    expect(get('migrate')).toMatchObject({
      command: ['node', 'dist/scripts/admin.js', 'migrate'],
      restart: 'no',
      profiles: [],
      depends_on: {
        'mongo-initiate': { condition: 'service_completed_successfully' },
        versitygw: { condition: 'service_healthy' },
      },
    });
    // A restoration writes objects, and starts workflows again; with the profile minio that server is another one.
    expect(get('maintenance').depends_on).toEqual({
      ...get('migrate').depends_on,
      'temporal-namespace': { condition: 'service_completed_successfully' },
    });
    expect(get('maintenance').depends_on).toMatchObject({ minio: { condition: 'service_healthy' } });
    // They must run while migrations are pending, and restorations before anything else uses the database.
    for (const name of ['admin', 'maintenance']) expect(Object.keys(get(name).depends_on)).not.toContain('migrate');
  });

  test('starts workers as root without its capabilities, and everything else without', () => {
    for (const pool of POOLS) {
      expect(get(pool)).toMatchObject({ user: 'root', cap_add: ['SETUID', 'SETGID', 'KILL'] });
      expect(get(pool).environment['RUN_AS']).toBe('1000:1000');
    }
    for (const name of ['api', 'admin', ...MAINTENANCE, 'mongo-initiate']) expect(get(name).user).toBe('1000:1000');
    const added = Object.entries(project.services).filter(
      ([name, { cap_add }]) => !POOLS.includes(name) && cap_add.length,
    );
    expect(added.map(([name, { cap_add }]) => [name, cap_add])).toEqual([
      ['caddy', ['NET_BIND_SERVICE']],
      ['caddy-localhost', ['NET_BIND_SERVICE']],
    ]);
  });

  test('hardens and limits every container', () => {
    for (const [name, service] of Object.entries(project.services)) {
      const { cap_drop: dropped, security_opt: options, read_only: readOnly, logging, deploy } = service;
      expect({ name, dropped, options, readOnly }).toEqual({
        name,
        dropped: ['ALL'],
        options: ['no-new-privileges:true'],
        readOnly: true,
      });
      expect(logging?.options).toEqual({ 'max-size': '20m', 'max-file': '5' });
      const { cpus, memory, pids } = deploy?.resources.limits ?? {};
      expect([name, Number(cpus) >= 1, Number(memory) >= 2 ** 28, Number(pids) > 0]).toEqual([name, true, true, true]);
    }
  });

  test('has a health check inside each container that keeps running', () => {
    const unchecked = Object.entries(project.services).filter(([, { healthcheck }]) => healthcheck?.test === undefined);
    expect(unchecked.map(([name]) => name).sort()).toEqual([
      'admin',
      'maintenance',
      'migrate',
      'mongo-initiate',
      'temporal-namespace',
      'temporal-schema',
    ]);
  });

  test('separates networks: only the proxy is reached from outside, and stores only by those that use them', () => {
    const networksOf = Object.fromEntries(
      Object.entries(project.services).map(([name, { networks }]) => [name, Object.keys(networks).sort()]),
    );
    expect(networksOf).toMatchObject({
      caddy: ['edge'],
      api: ['data', 'edge'],
      mongo: ['data'],
      versitygw: ['data'],
      postgres: ['temporal-store'],
      temporal: ['data', 'temporal-store'],
      'temporal-ui': ['data', 'operators'],
      delivery: ['data', 'workers'],
      screening: ['data', 'workers'],
      orchestration: ['data', 'workers'],
      // They read files of strangers, and reach nothing but the stores.
      vision: ['data'],
      rendering: ['data'],
      exports: ['data'],
    });
    expect([project.networks['data']?.internal, project.networks['temporal-store']?.internal]).toEqual([true, true]);
    const published = Object.entries(project.services).flatMap(([name, { ports }]) =>
      ports.map(({ published: port, host_ip: host }) => `${name} ${host ?? '*'}:${port}`),
    );
    expect([...new Set(published)].sort()).toEqual([
      'caddy *:443',
      'caddy *:80',
      'caddy-localhost 127.0.0.1:443',
      'caddy-localhost 127.0.0.1:80',
      'temporal-ui 127.0.0.1:8233',
    ]);
    const { services } = resolveCompose(folder, ['docker-compose.yml', 'deploy/compose.kms.yml']);
    for (const pool of ['migrate', ...POOLS])
      expect(Object.keys(services[pool]?.networks ?? {}).sort()).toEqual(['data', 'workers']);
  });

  test('create-secrets.sh writes every secret once, readable by root and the group of the containers', () => {
    const secrets = createSecrets(folder);
    const names = Object.values(project.secrets).map(({ file }) => path.basename(file));
    expect(readdirSync(secrets).sort()).toEqual(names.sort());
    const before = read.call(null, path.relative(root, path.join(secrets, 'master_key')));
    createSecrets(folder);
    expect(readFileSync(path.join(secrets, 'master_key'), 'utf8')).toBe(before);
    expect(before).toMatch(/^k1:[A-Za-z0-9+/]{43}=$/);
    for (const name of names) {
      const { mode, size } = statSync(path.join(secrets, name));
      const isOptional = /^(vault|temporal_api|audit|companies)/.test(name);
      expect([name, mode & 0o777, size > 0]).toEqual([name, 0o440, !isOptional]);
      // A Secret of Kubernetes passes on what a file has, and Prometheus sends it as it is.
      expect([name, readFileSync(path.join(secrets, name), 'utf8')]).toEqual([name, expect.not.stringContaining('\n')]);
    }
  });
});

test('create-secrets.sh keeps nothing of a secret that it could not write, and writes it the next time', () => {
  const folder = open('');
  const programs = path.join(folder, 'programs');
  mkdirSync(programs);
  writeFileSync(path.join(programs, 'openssl'), '#!/bin/sh\nprintf half\nexit 1\n', { mode: 0o755 });
  expect(() => createSecrets(folder)).toThrow();
  expect(readdirSync(path.join(folder, 'deploy', 'secrets'))).toEqual([]);
  rmSync(path.join(programs, 'openssl'));
  const secrets = createSecrets(folder);
  expect(readFileSync(path.join(secrets, 'master_key'), 'utf8')).toMatch(/^k1:.{44}$/);
  expect(readFileSync(path.join(secrets, 'jwt_secret'), 'utf8')).toMatch(/^[0-9a-f]{64}$/);
});

test.each([
  ['deploy/s3/start.sh', 'versitygw', 'ROOT_SECRET_KEY', 'S3_SECRET_KEY_FILE'],
  ['deploy/temporal/schema.sh', 'temporal-sql-tool', 'SQL_PASSWORD', 'POSTGRES_PASSWORD_FILE'],
])('%s passes the secret of its file to %s', (script, program, variable, setting) => {
  const folder = open('');
  const programs = path.join(folder, 'programs');
  mkdirSync(programs);
  writeFileSync(path.join(programs, program), `#!/bin/sh\necho "$${variable} $*"\n`, { mode: 0o755 });
  writeFileSync(path.join(folder, 'secret'), 'from-the-file\n');
  const printed = execFileSync('sh', [path.join(root, script), '--quiet'], {
    env: {
      PATH: `${programs}:${process.env['PATH'] ?? ''}`,
      POSTGRES_SEEDS: 'postgres',
      POSTGRES_USER: 'temporal',
      [setting]: path.join(folder, 'secret'),
    },
    encoding: 'utf8',
  });
  expect(printed).toMatch(/^from-the-file /);
});

test('task queues have the same fairness settings in the containers and on the development server', () => {
  const development = z
    .record(z.string(), z.unknown())
    .parse(
      evaluate(`import { TEMPORAL_DYNAMIC_CONFIG } from './scripts/stack/engines.mjs';`, 'TEMPORAL_DYNAMIC_CONFIG'),
    );
  const containers = z
    .record(z.string(), z.array(z.object({ value: z.unknown() })))
    .parse(parse(read('deploy/temporal/dynamicconfig.yaml')));
  for (const [name, [constraint]] of Object.entries(containers))
    expect({ [name]: constraint?.value }).toEqual({ [name]: development[name] });
  expect(Object.keys(containers)).toEqual(
    expect.arrayContaining(['matching.useNewMatcher', 'matching.enableFairness']),
  );
});
