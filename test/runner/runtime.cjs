const Module = require('node:module');
const { default: Runtime } = require('jest-runtime');

/** Options of jest's transformer for files that Node requires. */
const TRANSFORM_OPTIONS = {
  isInternalModule: false,
  supportsDynamicImport: true,
  supportsExportNamespaceFrom: false,
  supportsStaticESM: false,
  supportsTopLevelAwait: false,
};

/** The runtime of the test file that is running. @type {SharedRuntime | undefined} */
let current;
/** Where the source maps of all files required so far are stored. @type {Map<string, string>} */
const required = new Map();

Module._extensions['.ts'] = (module, filename) => {
  const { code, sourceMapPath } = current.transform(filename);
  if (sourceMapPath) {
    required.set(filename, sourceMapPath);
    current.getSourceMaps().set(filename, sourceMapPath);
  }
  module._compile(code, filename);
};

/**
 * Loads what a test file imports with Node's own `require`, so that all test files of one process share the modules of the
 * service and its packages. jest's runtime would evaluate them again for each file, about one processor second each time.
 */
class SharedRuntime extends Runtime {
  #transformer;
  #transformOptions;

  constructor(config, environment, resolver, transformer, cacheFS, coverageOptions, testPath, globalConfig) {
    super(config, environment, resolver, transformer, cacheFS, coverageOptions, testPath, globalConfig);
    this.#transformer = transformer;
    this.#transformOptions = { ...coverageOptions, ...TRANSFORM_OPTIONS };
    // Read while the file runs, for the lines in stack traces.
    for (const [file, map] of required) this.getSourceMaps().set(file, map);
    current = this;
  }

  transform(filename) {
    return this.#transformer.transform(filename, this.#transformOptions);
  }

  requireModuleOrMock(from, moduleName) {
    return Module.createRequire(from)(moduleName);
  }
}

exports.default = SharedRuntime;
Object.defineProperty(exports, '__esModule', { value: true });
