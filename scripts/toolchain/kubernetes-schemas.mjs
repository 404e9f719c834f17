import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { run } from './command.mjs';
import { checkFileHash } from './download.mjs';
import { toolsFolder } from './tools.mjs';

/** The version of Kubernetes whose schemas manifests are compared with. */
export const KUBERNETES_VERSION = '1.34.0';

const WHEEL = {
  requirement: 'kubernetes-validate==1.37.0',
  file: 'kubernetes_validate-1.37.0-py3-none-any.whl',
  sha256: '85136d018a27b50ec7fc049d902bfa5193f5976807e6c0f408e3ab6fe078cad9',
  member: `kubernetes_validate/kubernetes-json-schema/v${KUBERNETES_VERSION}-local-strict/_definitions.json`,
};

/** Raised when kinds are added, so that a cache without them is not used. */
const REVISION = 2;

/** Kinds of Kubernetes by the file name under which kubeconform looks for their schema. */
const KINDS = {
  'cronjob-batch-v1': 'io.k8s.api.batch.v1.CronJob',
  'deployment-apps-v1': 'io.k8s.api.apps.v1.Deployment',
  'horizontalpodautoscaler-autoscaling-v2': 'io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler',
  'ingress-networking-v1': 'io.k8s.api.networking.v1.Ingress',
  'job-batch-v1': 'io.k8s.api.batch.v1.Job',
  'networkpolicy-networking-v1': 'io.k8s.api.networking.v1.NetworkPolicy',
  'poddisruptionbudget-policy-v1': 'io.k8s.api.policy.v1.PodDisruptionBudget',
  'service-v1': 'io.k8s.api.core.v1.Service',
};

const KEDA = {
  module: 'github.com/kedacore/keda/v2@v2.21.0',
  sum: 'h1:R6z2HZvstK4RLUMxroNACzBj74xGxt3kG59b5Xc+Xps=',
  folder: 'config/crd/bases',
};
const PROMETHEUS = {
  module: 'github.com/prometheus-operator/prometheus-operator@v0.85.0',
  sum: 'h1:M5xLCLEoaW2IJfnuCwFzzpL+jSVQu3KGT84Pye+fW8s=',
  folder: 'example/prometheus-operator-crd',
};

/** Kinds that operators define: by file name, the Go module whose source has the definition. */
const CUSTOM_KINDS = {
  'scaledobject-keda-v1alpha1': { ...KEDA, file: 'keda.sh_scaledobjects.yaml' },
  'triggerauthentication-keda-v1alpha1': { ...KEDA, file: 'keda.sh_triggerauthentications.yaml' },
  'podmonitor-monitoring-v1': { ...PROMETHEUS, file: 'monitoring.coreos.com_podmonitors.yaml' },
  'servicemonitor-monitoring-v1': { ...PROMETHEUS, file: 'monitoring.coreos.com_servicemonitors.yaml' },
};

async function fetchDefinitions(work) {
  const pip = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary=:all:', '--no-input'];
  await run('python3', [...pip, '--dest', work, WHEEL.requirement], {
    env: { ...process.env, PIP_DISABLE_PIP_VERSION_CHECK: '1' },
  });
  const file = path.join(work, WHEEL.file);
  if (!(await readdir(work)).includes(WHEEL.file)) throw new Error(`pip did not download ${WHEEL.file}`);
  await checkFileHash(file, WHEEL.sha256, WHEEL.file);
  // One file of 17,000.
  const read = 'import sys, zipfile; sys.stdout.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]).decode())';
  const { stdout } = await run('python3', ['-c', read, file, WHEEL.member]);
  await rm(file);
  return JSON.parse(stdout).$defs;
}

/** Fields that a definition does not name are errors, as in the API server's strict validation. */
function makeStrict(schema) {
  if (Array.isArray(schema)) return schema.map(makeStrict);
  if (typeof schema !== 'object' || schema === null) return schema;
  const strict = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, makeStrict(value)]));
  const isClosed =
    strict.type === 'object' &&
    strict.properties !== undefined &&
    strict.additionalProperties === undefined &&
    strict['x-kubernetes-preserve-unknown-fields'] !== true;
  return isClosed ? { ...strict, additionalProperties: false } : strict;
}

async function readCustomKind({ module, sum, folder, file }) {
  const { stdout } = await run('go', ['mod', 'download', '-json', module], { cwd: path.parse(process.cwd()).root });
  const { Dir, Sum } = JSON.parse(stdout);
  if (Sum !== sum) throw new Error(`${module} has checksum ${Sum}, but ${sum} is pinned`);
  const { spec } = parse(await readFile(path.join(Dir, folder, file), 'utf8'));
  const schema = makeStrict(spec.versions[0].schema.openAPIV3Schema);
  return { ...schema, properties: { ...schema.properties, metadata: { type: 'object' } } };
}

/**
 * The folder of JSON schemas of the kinds that the chart uses, as kubeconform reads them; fetched on first use.
 * @throws {Error} if a source has another checksum than the pinned one
 */
export async function ensureKubernetesSchemas(env = process.env) {
  const folder = path.join(toolsFolder(env), `kubernetes-schemas-${KUBERNETES_VERSION}-${REVISION}`);
  if ((await readdir(folder).catch(() => [])).length > 0) return folder;
  await mkdir(toolsFolder(env), { recursive: true });
  const work = await mkdtemp(path.join(toolsFolder(env), '.fetch-kubernetes-schemas-'));
  try {
    const $defs = await fetchDefinitions(work);
    const write = (name, schema) => writeFile(path.join(work, `${name}.json`), JSON.stringify(schema));
    for (const [name, kind] of Object.entries(KINDS)) await write(name, { $ref: `#/$defs/${kind}`, $defs });
    for (const [name, source] of Object.entries(CUSTOM_KINDS)) await write(name, await readCustomKind(source));
    await rename(work, folder).catch(async (error) => {
      // A concurrent test has already written them.
      if ((await readdir(folder).catch(() => [])).length === 0) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return folder;
}
