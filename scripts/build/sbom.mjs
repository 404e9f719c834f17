/**
 * `npm run build -- --sbom`: writes dist/sbom.cdx.json, a software bill of materials in the format of CycloneDX: the
 * packages of the lock file, the model weights and the external programs, each with its checksum where one is pinned.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../stack/home.mjs';
import { run } from '../toolchain/command.mjs';
import { tools } from '../toolchain/tools.mjs';

const FILE = path.join(root, 'dist', 'sbom.cdx.json');

const readManifest = async () => JSON.parse(await readFile(path.join(root, 'activities/vision/models.json'), 'utf8'));

const hashes = (sha256) => [{ alg: 'SHA-256', content: sha256 }];

const purl = ({ registry, name, version }) => `pkg:${registry}/${name.replace('@', '%40')}@${version}`;

function describeModel(model, packages) {
  // A bundled model is part of this source tree.
  const source = model.bundled === true ? null : packages[model.package];
  return {
    'bom-ref': `model:${model.file}`,
    type: 'machine-learning-model',
    name: model.name,
    version: model.version,
    description: model.provenance,
    hashes: hashes(model.sha256),
    licenses: [{ license: { name: model.licence } }],
    properties: [
      { name: 'vouch:file', value: model.file },
      ...(source === null
        ? []
        : [
            { name: 'vouch:source', value: purl(source) },
            { name: 'vouch:source-sha256', value: source.sha256 },
          ]),
    ],
  };
}

async function describeTool(tool) {
  const official = await tool.official('');
  return {
    'bom-ref': `tool:${tool.name}`,
    type: 'application',
    name: tool.name,
    version: tool.version,
    scope: 'optional',
    ...(official === null
      ? {}
      : { externalReferences: [{ type: 'distribution', url: official.url, hashes: hashes(official.sha256) }] }),
    properties: [
      { name: 'vouch:package', value: tool.registry?.title ?? 'none' },
      { name: 'vouch:package-version', value: tool.registry?.version ?? tool.version },
    ],
  };
}

async function main() {
  const { stdout } = await run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], { cwd: root });
  const document = JSON.parse(stdout);
  const { models, packages } = await readManifest();
  document.components.push(
    ...models.map((model) => describeModel(model, packages)),
    ...(await Promise.all(Object.values(tools).map(describeTool))),
  );
  await mkdir(path.dirname(FILE), { recursive: true });
  await writeFile(FILE, `${JSON.stringify(document, null, 2)}\n`);
  console.log(`${path.relative(root, FILE)}: ${document.components.length} components`);
}

await main();
