import { WorkflowFailedError } from '@temporalio/client';
import type { WorkflowHandle, WorkflowStartOptions } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { WorkflowBundle } from '@temporalio/worker';
import { QUEUES } from '../../workflows/contracts';
import { POOL_INTERCEPTORS, RECORDS_INTERCEPTORS } from './pool-interceptors';
import { bundleWorkflows, startTimeSkippingServer } from './time-skipping';

/** A workflow that runs one activity in a pool and records the reason if it fails. */
interface PoolWorkflowDefinition {
  name: string;
  /** Task queue of the pool, and the activity. */
  queue: string;
  activity: string;
  /** Activity of the records pool that records the reason of a failure. */
  failure: string;
}

/** How a run ended, the recorded failure reasons, and how often the activity ran. */
export interface PoolRun {
  ended: 'completed' | 'failed';
  failures: string[];
  runs: number;
}

type StartOptions = Pick<WorkflowStartOptions, 'workflowIdReusePolicy'>;

/** Runs a pool workflow on a time-skipping server, with activities supplied by the test. */
export class PoolWorkflowRunner {
  private constructor(
    private readonly environment: TestWorkflowEnvironment,
    private readonly workflowBundle: WorkflowBundle,
    private readonly definition: PoolWorkflowDefinition,
  ) {}

  /** Starts the server, which skips the time that workflows wait. */
  static async start(definition: PoolWorkflowDefinition): Promise<PoolWorkflowRunner> {
    return new PoolWorkflowRunner(await startTimeSkippingServer(), await bundleWorkflows(), definition);
  }

  /** Ends the server. */
  stop(): Promise<void> {
    return this.environment.teardown();
  }

  /** Handle of a workflow that the test has started. */
  getHandle(workflowId: string): WorkflowHandle {
    return this.environment.client.workflow.getHandle(workflowId);
  }

  /** Runs the workflow once with `work` as its activity. @throws if the workflow could not be started */
  async run(
    workflowId: string,
    argument: object,
    work: () => Promise<unknown>,
    options: StartOptions = {},
  ): Promise<PoolRun> {
    const { queue, activity, failure } = this.definition;
    const failures: string[] = [];
    let runs = 0;
    const orchestration = await this.createWorker(QUEUES.orchestration, failure, ({ reason }) => {
      failures.push(reason);
      return Promise.resolve();
    });
    const pool = await this.createWorker(queue, activity, () => {
      runs += 1;
      return work();
    });
    const execute = () => this.execute(workflowId, argument, options);
    const ended = await orchestration.runUntil(pool.runUntil(execute));
    return { ended, failures, runs };
  }

  private createWorker(taskQueue: string, activity: string, work: (input: { reason: string }) => Promise<unknown>) {
    const { environment, workflowBundle } = this;
    const connection = environment.nativeConnection;
    const workflows = taskQueue === QUEUES.orchestration ? { workflowBundle } : {};
    const interceptors = taskQueue === QUEUES.orchestration ? RECORDS_INTERCEPTORS : POOL_INTERCEPTORS;
    return Worker.create({
      connection,
      taskQueue,
      ...workflows,
      activities: { [activity]: work },
      interceptors,
    });
  }

  private async execute(workflowId: string, argument: object, options: StartOptions): Promise<PoolRun['ended']> {
    const taskQueue = QUEUES.orchestration;
    try {
      const { workflow } = this.environment.client;
      await workflow.execute(this.definition.name, { ...options, workflowId, taskQueue, args: [argument] });
      return 'completed';
    } catch (error) {
      if (error instanceof WorkflowFailedError) return 'failed';
      throw error;
    }
  }
}
