import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildGoCommand } from './packages.mjs';
import { githubRelease } from './releases.mjs';

const VERSION = '1.8.0';

/** A main package with less than the published program, and the versions and checksums of everything that is compiled. */
const MODULE = fileURLToPath(new URL('versitygw/', import.meta.url));

/** Versity S3 Gateway: an S3 server that stores objects in a folder. */
export const versitygw = {
  name: 'versitygw',
  version: VERSION,
  environment: { url: 'S3_ENDPOINT', path: 'VERSITYGW_PATH' },
  commands: ['versitygw'],
  probe: ['--version'],
  official: githubRelease({
    repository: 'versity/versitygw',
    version: VERSION,
    platforms: {
      'linux x64': {
        name: 'Linux_x86_64',
        sha256: '2ba2c734d10d2c4e651d03182cb4b246656bc735a2f282db7b0b73fba6073467',
      },
      'linux arm64': {
        name: 'Linux_arm64',
        sha256: 'b34051d33f5a9c457f790896acb7bd7d7e15ad8d92efb70616b924f37e401910',
      },
      'darwin arm64': {
        name: 'Darwin_arm64',
        sha256: '4953096f65a9c0d62ab184fb6b2ba7c2435229205cf00a56cb62cd4bf6b216ca',
      },
    },
    archive: (platform) => `versitygw_v${VERSION}_${platform}`,
    member: (archive) => path.join(archive, 'versitygw'),
  }),
  registry: {
    title: 'Go module github.com/versity/versitygw',
    fetch: async (into) => {
      const file = path.join(into, 'versitygw');
      await buildGoCommand({ folder: MODULE, file });
      return file;
    },
  },
  advice:
    'install versitygw so that it is on PATH, set VERSITYGW_PATH to an executable, or set S3_ENDPOINT, S3_ACCESS_KEY and S3_SECRET_KEY to a running S3 server; compiling it needs Go 1.25 or newer.',
};
