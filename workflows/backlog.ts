import {
  condition,
  continueAsNew,
  defineSignal,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { BacklogAdded } from './contracts';

const backlogAdded = defineSignal<[BacklogAdded]>('backlogAdded');

/** What an activity did with the pending rows of an organisation. */
interface BacklogProgress {
  /** Number of attempts by their answer, for the Temporal UI. */
  answers: Record<string, number>;
  /** Seconds until the next attempt, 0 if one is due; null if none is pending. */
  nextAttemptInSeconds: number | null;
}

/**
 * Attempts the pending rows of an organisation until none is left: one activity makes all attempts that are due, and a
 * durable timer waits for the next. The records say when that is. The next row starts the workflow again.
 */
export async function attemptUntilNoneIsLeft(
  input: { organisationId: string },
  attempt: () => Promise<BacklogProgress>,
): Promise<void> {
  let isWoken = false;
  // A repeated signal has no further effect.
  setHandler(backlogAdded, () => {
    isWoken = true;
  });
  for (;;) {
    isWoken = false;
    const { answers, nextAttemptInSeconds } = await attempt();
    const lines = Object.entries(answers).map(([answer, count]) => `- ${answer}: ${count}`);
    setCurrentDetails(['**last attempts**', ...lines].join('\n'));
    if (workflowInfo().continueAsNewSuggested) await continueAsNew(input);
    if (nextAttemptInSeconds === null) {
      if (!isWoken) return;
    } else if (nextAttemptInSeconds > 0) {
      await condition(() => isWoken, Math.max(1, nextAttemptInSeconds * 1000));
    }
  }
}
