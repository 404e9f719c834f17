import { allHandlersFinished, condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';
import type { IdentityRecordsActivities, SessionProgress } from '../../activities/records/identity';
import { ACTIVITY_OPTIONS } from '../contracts';
import type { SessionChanged, WorkflowArguments } from '../contracts';
import { showStatus } from '../status-attribute';

const { advanceSession, endIdleSession } = proxyActivities<IdentityRecordsActivities>(ACTIVITY_OPTIONS.records);

const sessionChanged = defineSignal<[SessionChanged]>('sessionChanged');

const show = ({ status, steps }: SessionProgress): void =>
  showStatus(
    status,
    steps.map((step) => `${step.feature}: ${step.status}`),
  );

/**
 * A verification session, from its creation to its first final decision. What happened is always in MongoDB: a signal
 * only says "look again". A session nobody opens expires, one left idle is abandoned, one in review waits for a person
 * without a limit.
 */
export async function session(input: WorkflowArguments['session']): Promise<void> {
  const { sessionId, opening, linkTtlSeconds, abandonAfterSeconds } = input;
  const changes = new Set<string>();
  setHandler(sessionChanged, ({ outboxId }) => {
    changes.add(outboxId);
  });

  let seen = changes.size;
  const changed = (): boolean => changes.size > seen;
  const look = (): Promise<SessionProgress> => {
    seen = changes.size;
    return advanceSession({ sessionId, opening });
  };
  const changedWithin = (seconds: number): Promise<boolean> => condition(changed, seconds * 1000);

  let progress = await look();
  show(progress);
  while (!progress.final) {
    if (progress.status === 'in_review') {
      await condition(changed);
      progress = await look();
    } else {
      const inTime = await changedWithin(progress.status === 'not_started' ? linkTtlSeconds : abandonAfterSeconds);
      progress = inTime ? await look() : await endIdleSession({ sessionId, opening });
    }
    show(progress);
  }
  await condition(allHandlersFinished);
}
