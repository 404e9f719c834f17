import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { FAILURE_CONVERTER_PATH } from '../../lib/temporal-payloads';

const dist = path.resolve(__dirname, '..', '..');
const workflows = path.join(dist, 'workflows');
/** The path at which workers expect the bundle. */
const target = path.join(dist, 'workflow-bundle.js');

/**
 * Compiles the workflows to one file, so that a worker starts without a bundler and every worker of a release runs
 * the same code.
 */
async function main(): Promise<void> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: path.join(workflows, 'index.js'),
    failureConverterPath: FAILURE_CONVERTER_PATH,
    workflowInterceptorModules: [path.join(workflows, 'interceptors.js')],
    logger: new DefaultLogger('WARN'),
  });
  await writeFile(target, code);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
