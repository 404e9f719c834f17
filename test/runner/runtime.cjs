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

let transformer;
/** Source maps of all files that were required so far. @type {Map<string, string>} */
const sourceMaps = new Map();

Module._extensions['.ts'] = (module, filename) => {
  const { code, sourceMapPath } = transformer.transform(filename, TRANSFORM_OPTIONS);
  if (sourceMapPath) sourceMaps.set(filename, sourceMapPath);
  module._compile(code, filename);
};

/**
 * Loads what a test file imports with Node's own `require`, so that all test files of one process share the modules of the
 * service and its packages. jest's runtime would evaluate them again for each file, about one processor second each time.
 */
class SharedRuntime extends Runtime {
  constructor(config, environment, resolver, scriptTransformer, cacheFS, coverageOptions, testPath, globalConfig) {
    super(config, environment, resolver, scriptTransformer, cacheFS, coverageOptions, testPath, globalConfig);
    transformer = {
      transform: (file, options) => scriptTransformer.transform(file, { ...coverageOptions, ...options }),
    };
  }

  requireModuleOrMock(from, moduleName) {
    return Module.createRequire(from)(moduleName);
  }

  getSourceMaps() {
    for (const [file, map] of super.getSourceMaps()) sourceMaps.set(file, map);
    return sourceMaps;
  }
}

exports.default = SharedRuntime;
Object.defineProperty(exports, '__esModule', { value: true });
