import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { z } from 'zod';
import { SECRET_SETTINGS } from '../../../lib/secret-settings';
import { QUEUES, SECOND_QUEUES } from '../../../workflows/contracts';
import { hasGo, resolveDeploymentTool, runDeploymentTool } from '../../support/compose';
import { evaluate } from '../../support/evaluate';

const root = path.resolve(__dirname, '..', '..', '..');
const CHART = path.join(root, 'deploy', 'helm', 'vouch');
const POOLS = Object.keys(QUEUES);
const COMPONENTS = ['api', ...POOLS];

const containerSchema = z.looseObject({
  args: z.array(z.string()),
  env: z.array(z.object({ name: z.string(), value: z.string() })),
  securityContext: z.record(z.string(), z.unknown()),
  readinessProbe: z.object({ httpGet: z.object({ path: z.string(), port: z.number() }) }),
  livenessProbe: z.object({ httpGet: z.object({ path: z.string(), port: z.number() }) }),
});
const podSchema = z.looseObject({
  automountServiceAccountToken: z.boolean(),
  securityContext: z.record(z.string(), z.unknown()),
  containers: z.tuple([containerSchema]),
  volumes: z.array(z.looseObject({ name: z.string() })),
});
const manifestSchema = z.looseObject({
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
  spec: z.record(z.string(), z.unknown()),
});
type Manifest = z.infer<typeof manifestSchema>;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vouch-chart-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function template(values: object): string {
  const file = path.join(folder, 'values.yaml');
  writeFileSync(file, stringify(values));
  return runDeploymentTool(['template', CHART, file]);
}

const parseManifests = (text: string): Manifest[] =>
  parseAllDocuments(text).flatMap((document) => {
    const value: unknown = document.toJS();
    return value === null ? [] : [manifestSchema.parse(value)];
  });

const readPod = ({ spec }: Manifest) => z.object({ template: z.object({ spec: podSchema }) }).parse(spec).template.spec;

const BACKUP_SECRETS = ['backup_key', 'backup_s3_access_key', 'backup_s3_secret_key'];

const MINIMAL = {
  publicUrl: 'https://vouch.example.com',
  secrets: { optional: ['metrics_token', 'companies_house_api_key'] },
};
const COMPLETE = {
  ...MINIMAL,
  secrets: { optional: [...MINIMAL.secrets.optional, ...BACKUP_SECRETS] },
  image: { repository: 'registry.example.com/vouch', digest: `sha256:${'0'.repeat(64)}` },
  imagePullSecrets: [{ name: 'registry' }],
  settings: { LOG_LEVEL: 'warn', KEY_ROTATION_DAYS: 7, BACKUP_TARGET: 's3://backups/vouch' },
  keda: { tls: true, tlsServerName: 'temporal', authenticationSecret: 'temporal', authenticationKeys: ['apiKey'] },
  workers: { changeUser: true },
  admin: { enabled: true },
  maintenance: { enabled: true },
  migrations: { backoffLimit: 1 },
  backups: { enabled: true, schedule: '0 4 * * *', keep: 7 },
  ingress: { enabled: true, className: 'nginx', annotations: { 'example.com/a': 'b' }, tlsSecret: 'vouch-tls' },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  networkPolicies: { extraEgress: [{ to: [{ ipBlock: { cidr: '192.0.2.1/32' } }] }] },
  nodeSelector: { disk: 'ssd' },
  tolerations: [{ key: 'vouch', operator: 'Exists' }],
};

const withGo = hasGo ? describe : describe.skip;

withGo('the chart', () => {
  let manifests: Manifest[];
  const find = (kind: string, component: string): Manifest => {
    const found = manifests.find((each) => each.kind === kind && each.metadata.name === `vouch-${component}`);
    if (found === undefined) throw new Error(`There is no ${kind} of ${component}.`);
    return found;
  };
  beforeAll(() => {
    manifests = parseManifests(template(MINIMAL));
  });

  test.each([
    ['the defaults', MINIMAL],
    ['every value', COMPLETE],
  ])('renders, with %s, manifests that Kubernetes, KEDA and the Prometheus operator accept', (_name, values) => {
    const schemas = z
      .tuple([z.string(), z.string()])
      .parse(
        evaluate(
          `import { ensureKubernetesSchemas, KUBERNETES_VERSION } from './scripts/toolchain/kubernetes-schemas.mjs';`,
          '[await ensureKubernetesSchemas(), KUBERNETES_VERSION]',
        ),
      );
    const validate = (input: string): string =>
      execFileSync(resolveDeploymentTool(), ['validate', ...schemas], { input, encoding: 'utf8', stdio: 'pipe' });
    const text = template(values);
    expect(validate(text)).toBe(`${parseManifests(text).length} valid\n`);
    expect(() => validate(text.replace('readOnlyRootFilesystem', 'readOnlyRootFileSystem'))).toThrow(
      /readOnlyRootFileSystem/,
    );
  });

  test('has a deployment, a network policy and a disruption budget for each component, and scales each', () => {
    const names = (kind: string): string[] =>
      manifests.flatMap((each) => (each.kind === kind ? [each.metadata.name.replace('vouch-', '')] : [])).sort();
    for (const kind of ['Deployment', 'NetworkPolicy', 'PodDisruptionBudget'])
      expect({ [kind]: names(kind) }).toEqual({ [kind]: [...COMPONENTS].sort() });
    expect(names('ScaledObject')).toEqual([...POOLS].sort());
    expect(names('HorizontalPodAutoscaler')).toEqual(['api']);
  });

  test('signs in to the database that is configured, in which its users are', () => {
    const text = template({ ...MINIMAL, mongo: { hosts: ['mongo:27017'], database: 'other' } });
    const urls = text.match(/mongodb:[^"\s]+/g) ?? [];
    expect(urls.length).toBeGreaterThan(POOLS.length);
    for (const url of urls) expect(url).toMatch(/^mongodb:\/\/vouch-[a-z]+@mongo:27017\/other\?replicaSet=vouch$/);
  });

  test('scales each pool by the task queues that its workers poll', () => {
    for (const pool of POOLS) {
      const triggers = find('ScaledObject', pool).spec['triggers'] as {
        type: string;
        metadata: { taskQueue: string };
      }[];
      const second = new Map<string, string>(Object.entries(SECOND_QUEUES)).get(pool);
      const queues = [`vouch-${pool}`, ...(second === undefined ? [] : [second])];
      expect(triggers.map(({ metadata }) => metadata.taskQueue)).toEqual(queues);
      const [trigger] = triggers;
      expect(trigger).toMatchObject({
        type: 'temporal',
        metadata: {
          endpoint: 'temporal-frontend.temporal:7233',
          taskQueue: QUEUES[pool as keyof typeof QUEUES],
          queueTypes: pool === 'orchestration' ? 'workflow,activity' : 'activity',
        },
      });
      expect(readPod(find('Deployment', pool)).containers[0].args).toContain(`--pools=${pool}`);
    }
  });

  test('runs every pod under the restricted Pod Security Standard, with probes and only its own secrets', () => {
    for (const component of COMPONENTS) {
      const pod = readPod(find('Deployment', component));
      const [container] = pod.containers;
      expect(pod.automountServiceAccountToken).toBe(false);
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect([container.readinessProbe.httpGet.path, container.livenessProbe.httpGet.path]).toEqual([
        '/readyz',
        '/healthz',
      ]);
      const mounted = JSON.stringify(pod.volumes.find(({ name }) => name === 'secrets'));
      expect(mounted).toContain(`"key":"${component}","path":"mongo_password"`);
      expect(mounted.includes('jwt_secret')).toBe(component === 'api');
      expect(mounted.includes('companies_house_api_key')).toBe(['api', 'screening'].includes(component));
      const names = container.env.map(({ name }) => name);
      expect(
        names.filter((name) => SECRET_SETTINGS.includes(name) && !['MONGO_URL', 'S3_ACCESS_KEY'].includes(name)),
      ).toEqual([]);
    }
  });

  test('migrates before an installation and before pods are replaced, as the user of MongoDB for maintenance', () => {
    const { metadata, spec } = find('Job', 'migrate');
    expect(metadata).toMatchObject({ annotations: { 'helm.sh/hook': 'pre-install,pre-upgrade' } });
    const pod = spec['template'] as { spec: { containers: [object]; restartPolicy: string } };
    expect(pod.spec).toMatchObject({ restartPolicy: 'Never', securityContext: { runAsNonRoot: true } });
    expect(pod.spec.containers).toMatchObject([{ args: ['node', 'dist/scripts/admin.js', 'migrate'] }]);
    expect(JSON.stringify(pod)).toContain('mongodb://vouch-maintenance@');
    expect(JSON.stringify(pod)).toContain('"key":"maintenance","path":"mongo_password"');
    // No deployment, and so no worker that KEDA adds, has that user.
    const others = manifests.filter(({ kind }) => kind === 'Deployment');
    expect(others.filter((each) => JSON.stringify(each).includes('maintenance'))).toEqual([]);
    expect(template({ ...MINIMAL, migrations: { enabled: false } })).not.toContain('kind: Job');
  });

  test('backs up and verifies on a schedule, with secrets that only backups and maintenance have', () => {
    const complete = parseManifests(template(COMPLETE));
    for (const secret of BACKUP_SECRETS) {
      const mounting = complete.filter((each) => JSON.stringify(each).includes(`"${secret.toUpperCase()}_FILE"`));
      const names = mounting.map(({ metadata: { name } }) => name).sort();
      expect([secret, names]).toEqual([secret, ['vouch-backup', 'vouch-maintenance']]);
    }
    const cron = complete.find(({ kind }) => kind === 'CronJob');
    expect(cron?.spec).toMatchObject({ schedule: '0 4 * * *', concurrencyPolicy: 'Forbid' });
    const { jobTemplate } = z.object({ jobTemplate: z.object({ spec: z.unknown() }) }).parse(cron?.spec);
    expect(jobTemplate.spec).toMatchObject({
      template: {
        spec: {
          restartPolicy: 'Never',
          initContainers: [{ args: ['node', 'dist/scripts/backup.js', '--keep=7'] }],
          containers: [{ args: ['node', 'dist/scripts/backup.js', '--verify'] }],
        },
      },
    });
    expect(manifests.some(({ kind }) => kind === 'CronJob')).toBe(false);
    const backups = { enabled: true };
    expect(() => template({ ...MINIMAL, backups })).toThrow(/settings\.BACKUP_TARGET: required/);
    const settings = { BACKUP_TARGET: 's3://backups/vouch' };
    expect(() => template({ ...MINIMAL, backups, settings })).toThrow(/secrets\.optional: must name backup_key/);
  });

  test('gives every process an environment that it accepts, and every setting of the values', () => {
    const files = path.join(folder, 'secrets');
    execFileSync('mkdir', ['-p', files]);
    const write = (name: string, text: string): void => writeFileSync(path.join(files, name), text);
    write('master_key', `k1:${Buffer.alloc(32, 7).toString('base64')}`);
    for (const name of ['jwt_secret', 's3_secret_key', 'mongo_password', 'metrics_token']) write(name, 's'.repeat(48));
    for (const name of [
      'temporal_api_key',
      'vault_token',
      'vault_secret_id',
      'audit_head_webhook_secret',
      'companies_house_api_key',
    ])
      write(name, '');
    const rendered = parseManifests(template({ ...MINIMAL, settings: { KEY_ROTATION_DAYS: 7 } }));
    for (const component of ['api', 'screening']) {
      const manifest = rendered.find(
        ({ kind, metadata }) => kind === 'Deployment' && metadata.name === `vouch-${component}`,
      );
      const [{ args, env }] = readPod(manifestSchema.parse(manifest)).containers;
      const environment = Object.fromEntries(
        env.map(({ name, value }) => [name, value.replace('/run/secrets', files)]),
      );
      expect(environment['KEY_ROTATION_DAYS']).toBe('7');
      execFileSync(process.execPath, [...args.slice(1), '--check'], { cwd: root, env: environment, stdio: 'pipe' });
    }
  });

  test('gives only pools that call other machines a route to public addresses', () => {
    const open = manifests.filter(
      ({ kind, spec }) => kind === 'NetworkPolicy' && JSON.stringify(spec).includes('0.0.0.0/0'),
    );
    expect(open.map(({ metadata }) => metadata.name).sort()).toEqual([
      'vouch-delivery',
      'vouch-orchestration',
      'vouch-screening',
    ]);
  });

  test('refuses values that are missing, unknown or secret', () => {
    expect(() => template({})).toThrow(/publicUrl/);
    expect(() => template({ ...MINIMAL, replicas: 3 })).toThrow(/replicas/);
    expect(() => template({ ...MINIMAL, settings: { MASTER_KEY: 'k1:x' } })).toThrow(/MASTER_KEY/);
  });

  test('its README describes every value', () => {
    const values = Object.keys(
      z
        .record(z.string(), z.unknown())
        .parse(parseAllDocuments(readFileSync(path.join(CHART, 'values.yaml'), 'utf8'))[0]?.toJS()),
    );
    const readme = readFileSync(path.join(CHART, 'README.md'), 'utf8');
    expect(values.filter((name) => !readme.includes(`\`${name}`))).toEqual([]);
  });
});
