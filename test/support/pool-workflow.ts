import { WorkflowFailedError } from '@temporalio/client';
import type { WorkflowHandle, WorkflowStartOptions } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { QUEUES } from '../../workflows/contracts';
import { bundleWorkflow, startTimeSkippingServer } from './time-skipping';

/** A workflow that has one pool do one thing, and records why it was given up. */
interface PoolWorkflowDefinition {
  name: string;
  /** Its module, as `require.resolve` gives it. */
  file: string;
  /** The pool, and its activity. */
  queue: string;
  activity: string;
  /** The activity of the records pool that is told the reason. */
  failure: string;
}

/** How a run ended, the reasons it was given up for, and how often the pool's activity ran. */
export interface PoolRun {
  ended: 'completed' | 'failed';
  failures: string[];
  runs: number;
}

type StartOptions = Pick<WorkflowStartOptions, 'workflowIdReusePolicy'>;

/** Runs such a workflow on a server in which waiting takes no time; what the pool does is given by the test. */
export class PoolWorkflowRunner {
  private constructor(
    private readonly environment: TestWorkflowEnvironment,
    private readonly workflowBundle: WorkflowBundleWithSourceMap,
    private readonly definition: PoolWorkflowDefinition,
  ) {}

  static async start(definition: PoolWorkflowDefinition): Promise<PoolWorkflowRunner> {
    return new PoolWorkflowRunner(await startTimeSkippingServer(), await bundleWorkflow(definition.file), definition);
  }

  stop(): Promise<void> {
    return this.environment.teardown();
  }

  getHandle(workflowId: string): WorkflowHandle {
    return this.environment.client.workflow.getHandle(workflowId);
  }

  /** Runs it once, with the pool doing `work`. @throws when it could not be started */
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
    return Worker.create({ connection, taskQueue, ...workflows, activities: { [activity]: work } });
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
