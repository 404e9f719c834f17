const { createHash } = require('node:crypto');
const { version } = require('@swc/core/package.json');
const { createTransformer } = require('@swc/jest');

const OPTIONS = { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } };
const transformer = createTransformer(OPTIONS);
const SAME_FOR_ALL = JSON.stringify([OPTIONS, version, process.versions.node]);

/**
 * Compiles TypeScript as `@swc/jest` does. The key under which jest stores the result does not depend on the project, so
 * that a module is compiled once for all folders of tests and all processes, instead of once for each project.
 */
module.exports = {
  process: transformer.process,
  getCacheKey: (source, filename) =>
    createHash('sha1').update([SAME_FOR_ALL, filename, source].join('\0')).digest('hex'),
};
