import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildGoCommand } from './packages.mjs';
import { resolveTool } from './resolver.mjs';
import { toolsFolder } from './tools.mjs';

/** A main package over the libraries of Docker Compose, Helm and kubeconform, with the checksums of all that is compiled. */
const MODULE = fileURLToPath(new URL('deployment/', import.meta.url));

/** Changes with the source, so that the cache never holds a program of other sources. */
const readVersion = () => /^\tversion = "(.+)"$/m.exec(readFileSync(path.join(MODULE, 'main.go'), 'utf8'))[1];

/** Resolves compose files and renders charts as Docker Compose and Helm do. Only tests need it. */
const deployment = {
  name: 'deployment',
  version: readVersion(),
  environment: { path: 'VOUCH_DEPLOYMENT_PATH' },
  commands: [],
  probe: ['version'],
  official: async () => null,
  registry: {
    title: 'Go modules of Docker Compose, Helm and kubeconform',
    fetch: async (into) => {
      const file = path.join(into, 'deployment');
      await buildGoCommand({ folder: MODULE, file });
      return file;
    },
  },
  advice: 'compiling it needs Go 1.26 or newer.',
};

/** The path of the program; it is compiled on first use. */
export async function resolveDeploymentTool(env = process.env) {
  const { executable } = await resolveTool(deployment, { dir: toolsFolder(env), env });
  return executable;
}
