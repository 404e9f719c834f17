import { randomUUID } from 'node:crypto';
import { connectTemporal } from '../scripts/admin/temporal';
import { QUEUES } from '../workflows/contracts';
import { percentile, report, roundTo } from './report';

const WARM_UP = 20;
const RUNS = 200;

/** Runs workflows of one activity on the running service, one after another. */
export async function benchLatency(): Promise<void> {
  const client = await connectTemporal('bench');
  const milliseconds: number[] = [];
  for (let run = -WARM_UP; run < RUNS; run += 1) {
    const start = performance.now();
    await client.workflow.execute('sealAudit', {
      taskQueue: QUEUES.orchestration,
      workflowId: `bench-latency-${randomUUID()}`,
      args: [{}],
    });
    if (run >= 0) milliseconds.push(performance.now() - start);
  }
  await client.connection.close();
  report('latency', {
    workflow: 'sealAudit (one activity)',
    runs: RUNS,
    p50Ms: roundTo(percentile(milliseconds, 0.5), 1),
    p95Ms: roundTo(percentile(milliseconds, 0.95), 1),
  });
}
