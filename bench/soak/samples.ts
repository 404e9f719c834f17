import type { Client } from '@temporalio/client';
import { connectTemporal } from '../../scripts/admin/temporal';
import { readRunningService } from '../../scripts/demo/running-service';
import { roundTo } from '../report';
import { readTreeUsage } from './process-trees';
import type { TreeUsage } from './process-trees';

/** The state of the service at one moment of the load. */
export interface Sample {
  /** Minutes since the load began. */
  minute: number;
  processes: Record<string, TreeUsage>;
  /** Workflows that are running. */
  openWorkflows: number;
  /** Events in the longest history of a workflow that is running or ended since the previous sample. */
  longestHistory: number;
  /** Operations that the load has completed, and that failed. */
  sessions: number;
  sales: number;
  exports: number;
  errors: number;
}

/** Reads histories from Temporal's visibility store. */
export class HistoryReader {
  private since = new Date();

  private constructor(private readonly client: Client) {}

  /** Connects to the Temporal server of the running service. */
  static async connect(): Promise<HistoryReader> {
    return new HistoryReader(await connectTemporal('bench'));
  }

  /** Counts what runs now, and the events of what has run since the previous call. */
  async read(): Promise<Pick<Sample, 'openWorkflows' | 'longestHistory'>> {
    const { workflow } = this.client;
    const since = this.since.toISOString();
    this.since = new Date();
    const { count: openWorkflows } = await workflow.count("ExecutionStatus = 'Running'");
    let longestHistory = 0;
    for await (const { historyLength } of workflow.list({
      query: `ExecutionStatus = 'Running' OR CloseTime >= '${since}'`,
    }))
      longestHistory = Math.max(longestHistory, historyLength);
    return { openWorkflows, longestHistory };
  }

  /** Closes the connection, after which nothing can be read. */
  close(): Promise<void> {
    return this.client.connection.close();
  }
}

/** @param startedAtMs when the load began, by `performance.now()` @param counts what the load has done by now */
export async function takeSample(
  startedAtMs: number,
  histories: HistoryReader,
  counts: Pick<Sample, 'sessions' | 'sales' | 'exports' | 'errors'>,
): Promise<Sample> {
  return {
    minute: roundTo((performance.now() - startedAtMs) / 60_000, 2),
    processes: readTreeUsage(readRunningService().pids ?? {}),
    ...(await histories.read()),
    ...counts,
  };
}
