import { allHandlersFinished, condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';
import type { IdentityRecordsActivities } from '../../activities/records/identity';
import type { SessionProgress } from '../../domain/identity/sessions/progress';
import { ACTIVITY_OPTIONS } from '../contracts';
import type { SessionChanged, WorkflowArguments } from '../contracts';
import { showStatus } from '../status-attribute';

const { advanceSession, endIdleSession } = proxyActivities<IdentityRecordsActivities>(ACTIVITY_OPTIONS.records);

const sessionChanged = defineSignal<[SessionChanged]>('sessionChanged');

const showProgress = ({ status, steps }: SessionProgress): void =>
  showStatus(
    status,
    steps.map((step) => `${step.feature}: ${step.status}`),
  );

/**
 * A session that version 0.1 started, from its creation to its first final decision; `verification` follows later ones.
 * Its state is in MongoDB: a signal only says that it changed, and its checks have workflows of their own. To be removed
 * once no workflow of this type is running.
 */
export async function session(input: WorkflowArguments['session']): Promise<void> {
  const { sessionId, opening, linkTtlSeconds, abandonAfterSeconds } = input;
  const changes = new Set<string>();
  setHandler(sessionChanged, ({ outboxId }) => {
    changes.add(outboxId);
  });

  let seen = changes.size;
  const hasChanged = (): boolean => changes.size > seen;
  const advance = (): Promise<SessionProgress> => {
    seen = changes.size;
    return advanceSession({ sessionId, opening });
  };
  const waitForChange = (seconds: number): Promise<boolean> => condition(hasChanged, seconds * 1000);

  let progress = await advance();
  showProgress(progress);
  while (!progress.final) {
    if (progress.status === 'in_review') {
      await condition(hasChanged);
      progress = await advance();
    } else {
      const wasChanged = await waitForChange(progress.status === 'not_started' ? linkTtlSeconds : abandonAfterSeconds);
      progress = wasChanged ? await advance() : await endIdleSession({ sessionId, opening });
    }
    showProgress(progress);
  }
  await condition(allHandlersFinished);
}
