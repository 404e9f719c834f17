import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildGoCommand } from './packages.mjs';
import { resolveTool } from './resolver.mjs';
import { toolsFolder } from './tools.mjs';

/** A main package over the parser and the engine of Prometheus, with the checksums of all that is compiled. */
const MODULE = fileURLToPath(new URL('prometheus/', import.meta.url));

/** Changes with the source, so that the cache never holds a program of other sources. */
const readVersion = () => /^\tversion = "(.+)"$/m.exec(readFileSync(path.join(MODULE, 'main.go'), 'utf8'))[1];

/** Checks rules and evaluates alerts and queries as Prometheus does. Only tests need it. */
const prometheus = {
  name: 'prometheus',
  version: readVersion(),
  environment: { path: 'VOUCH_PROMETHEUS_PATH' },
  commands: [],
  probe: ['version'],
  official: async () => null,
  registry: {
    title: 'Go module of Prometheus',
    fetch: async (into) => {
      const file = path.join(into, 'prometheus');
      await buildGoCommand({ folder: MODULE, file });
      return file;
    },
  },
  advice: 'compiling it needs Go 1.26 or newer.',
};

/** The path of the program; it is compiled on first use. */
export async function resolvePrometheus(env = process.env) {
  const { executable } = await resolveTool(prometheus, { dir: toolsFolder(env), env });
  return executable;
}
