import { readFileSync } from 'node:fs';
import path from 'node:path';
import { startOwnStack } from '../stack';
import type { OwnStack } from '../stack';
import { Proxy } from './proxy';
import { SmallDisks } from './small-disks';

const projectRoot = path.resolve(__dirname, '..', '..', '..');

export const PROXIED = ['api', 'mongo', 'temporal', 's3'] as const;
export type Proxied = (typeof PROXIED)[number];

/** A stack whose engines are reached through proxies and have small disks. */
export interface ChaosStack extends OwnStack {
  proxies: Record<Proxied, Proxy>;
  /** The disks, or why there are none. */
  disks: SmallDisks | string;
}

/** The port that the launcher of a home chose. */
const readPort = (home: string, name: string): number =>
  (JSON.parse(readFileSync(path.join(home, 'ports.json'), 'utf8')) as Record<string, number>)[name] ?? 0;

/**
 * Starts a stack that ends with this process; its data survives a restart of the launcher.
 * @param env additional environment variables of the service
 */
export async function startChaosStack(env: Record<string, string>): Promise<ChaosStack> {
  let home = '';
  const listen = (name: Proxied): Promise<Proxy> => Proxy.listen(() => readPort(home, name));
  const proxies = {
    api: await listen('api'),
    mongo: await listen('mongo'),
    temporal: await listen('temporal'),
    s3: await listen('s3'),
  };
  const ports = Object.fromEntries(PROXIED.map((name) => [name, proxies[name].port]));
  let disks: SmallDisks | string = '';
  const stack = await startOwnStack({
    env,
    endsWithProcess: true,
    prepare: async (created) => {
      home = created;
      disks = await SmallDisks.mount(home);
      return {
        prefix: typeof disks === 'string' ? [] : disks.getPrefix(projectRoot),
        script: ['scripts/checks/chaos-stack.mjs'],
        env: { VOUCH_CHAOS_PROXIES: JSON.stringify(ports) },
      };
    },
  });
  return { ...stack, proxies, disks };
}
