/** One project per folder of test/. Tests that need the running stack find it through test/support/stack.ts. */
const FOLDERS = ['unit', 'components', 'workflows', 'replay', 'api', 'e2e', 'web', 'chaos'];

const project = (folder) => ({
  displayName: folder,
  rootDir: __dirname,
  // Test files of one process share their modules: see test/runner.
  testEnvironment: '<rootDir>/test/runner/environment.cjs',
  runtime: '<rootDir>/test/runner/runtime.cjs',
  testMatch: [`<rootDir>/test/${folder}/**/*.test.ts`],
  // The same name: what is compiled for one project is found by the others.
  id: 'vouch',
  // Only these are listed; what tests import from elsewhere is found by its path.
  roots: ['<rootDir>/test'],
  transform: { '^.+\\.ts$': '<rootDir>/test/runner/transformer.cjs' },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.vouch/'],
  testPathIgnorePatterns: ['/node_modules/'],
  // Of each project: the setting of the whole configuration does not apply to projects.
  cacheDirectory: '<rootDir>/.vouch/cache/jest',
});

module.exports = {
  projects: FOLDERS.map(project),
  testSequencer: '<rootDir>/test/runner/sequencer.cjs',
  // No test depends on time: the limit only stops tests that would never end, also on a machine many times slower.
  testTimeout: 600_000,
};
