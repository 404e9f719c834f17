import { startBackgroundLoop } from '../../../lib/background-loop';
import type { BackgroundLoop } from '../../../lib/background-loop';
import { summariseError } from '../../../lib/logger';
import { BacklogReaders } from '../../../models/platform/transactions/backlog-reader';
import type { BacklogReaderRecord } from '../../../models/platform/transactions/backlog-reader';
import type { Platform } from '../platform';
import { isActive } from './backlog-readers';
import { runTransaction } from './unit-of-work';

const POLL_MS = 2_000;

/**
 * Wakes the workflows of readers that did not end their records: their process was killed, and if the workflow was
 * terminated too, nothing else would read what they left.
 */
export async function wakeLostReaders(platform: Platform): Promise<void> {
  const lost = await BacklogReaders.find({ reading: true, $expr: { $not: [isActive] } }).lean<BacklogReaderRecord[]>();
  for (const { _id: workflowId, owner, organisationId, workflow, argument } of lost)
    await runTransaction(platform, async (unit) => {
      const { deletedCount } = await BacklogReaders.deleteOne(
        { _id: workflowId, owner },
        { session: unit.mongoSession },
      );
      if (deletedCount > 0) unit.wakeAgain(organisationId, { workflowId, workflow, argument });
    });
}

/** Looks for lost readers until stopped. Every process of the orchestration pool does. */
export const startLostReaderSweep = (platform: Platform): BackgroundLoop =>
  startBackgroundLoop(POLL_MS, async () => {
    await wakeLostReaders(platform).catch((error: unknown) =>
      platform.logger.warn(
        { reason: summariseError(error) },
        'Lost readers of backlogs could not be looked for; this is tried again',
      ),
    );
  });
