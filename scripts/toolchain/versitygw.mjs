import path from 'node:path';
import { installGoCommand } from './packages.mjs';
import { githubRelease } from './releases.mjs';

const VERSION = '1.8.0';

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
      'linux x64': 'Linux_x86_64',
      'linux arm64': 'Linux_arm64',
      'darwin x64': 'Darwin_x86_64',
      'darwin arm64': 'Darwin_arm64',
    },
    archive: (platform) => `versitygw_v${VERSION}_${platform}`,
    member: (archive) => path.join(archive, 'versitygw'),
  }),
  registry: {
    title: 'Go module github.com/versity/versitygw',
    fetch: async (into) => {
      await installGoCommand({ module: 'github.com/versity/versitygw/cmd/versitygw', version: `v${VERSION}`, into });
      return path.join(into, 'versitygw');
    },
  },
  advice:
    'install versitygw so that it is on PATH, set VERSITYGW_PATH to an executable, or set S3_ENDPOINT, S3_ACCESS_KEY and S3_SECRET_KEY to a running S3 server; compiling it needs Go 1.21 or newer.',
};
