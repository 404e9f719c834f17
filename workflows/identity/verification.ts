import {
  ActivityFailure,
  allHandlersFinished,
  condition,
  defineSignal,
  isCancellation,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow';
import type { CheckActivities } from '../../activities/checks';
import type { IdentityRecordsActivities } from '../../activities/records/identity';
import { CHECKS } from '../../domain/identity/checks/checks';
import type { EventDelivery, SessionCheck, SessionProgress } from '../../domain/identity/sessions/progress';
import { ACTIVITY_OPTIONS, SESSION_SIGNALS, SUBMISSION_SIGNALS } from '../contracts';
import type { SessionChanged, SessionNews, WorkflowArguments } from '../contracts';
import { getFailureReason } from '../failure-reason';
import { showDetails } from '../status-attribute';
import { describeCheck, describeProgress, describeWait } from './verification-texts';

/** The shortest wait for the person: the clocks of workers and Temporal may differ. */
const MIN_WAIT_MS = 1000;

const sessionChanged = defineSignal<[SessionChanged]>('sessionChanged');

const records = (summary: string) =>
  proxyActivities<IdentityRecordsActivities>({ ...ACTIVITY_OPTIONS.records, summary });

const { advanceSession } = records('Create the checks that follow, or decide');
const { endIdleSession } = records('End the session if it is still idle');
const { failCheck } = records('Record that the check could not be run');

/** The progress of a session and the checks that this workflow runs for it. */
class Verification {
  private progress: SessionProgress;
  private readonly begun = new Set<string>();
  private running = 0;
  private hasNews = false;
  private fault: Error | undefined;
  /** Every delivery that the changes reported so far have enqueued. */
  private readonly deliveries: EventDelivery[] = [];

  constructor(private readonly input: WorkflowArguments['verification']) {
    this.progress = input.progress;
    this.collectDeliveries(input.progress);
  }

  /** Accepts a progress unless it is older than the present one: signals and results may arrive late or twice. */
  accept(progress: SessionProgress): void {
    this.collectDeliveries(progress);
    if (progress.version <= this.progress.version) return;
    this.progress = progress;
    this.hasNews = true;
  }

  /** Marks the progress as due to be read: a process of version 0.1 reports only that the session changed. */
  requestProgress(): void {
    this.progress = { ...this.progress, due: true };
    this.hasNews = true;
  }

  /** Runs checks, decides and waits until the session has ended and no check is running. @returns its status then */
  async run(): Promise<SessionProgress['status']> {
    for (;;) {
      // A check that was accepted before the session ended is run as well.
      if (this.isPresent) for (const check of this.progress.checks) this.begin(check);
      showDetails(this.progress.status, describeProgress(this.progress, this.deliveries));
      if (this.isOver && this.running === 0) return this.progress.status;
      await this.proceed();
      if (this.fault !== undefined) throw this.fault;
    }
  }

  /** Whether nothing is left to wait for: an override that reopens the session starts the next workflow. */
  private get isOver(): boolean {
    return this.progress.final || !this.isPresent;
  }

  private get isPresent(): boolean {
    return this.progress.opening === this.input.opening;
  }

  /** The next step of the session itself, or the wait for what happens next. */
  private async proceed(): Promise<void> {
    const { sessionId, opening } = this.input;
    const { due, idleUntil } = this.progress;
    this.hasNews = false;
    if (due && !this.isOver) {
      this.settle(await advanceSession({ sessionId, opening }));
    } else if (this.running > 0 || idleUntil === null) {
      await condition(() => this.hasNews);
    } else if (!(await this.waitForPerson(idleUntil))) {
      this.settle(await endIdleSession({ sessionId, opening }));
    }
  }

  /** @returns false if nothing happened in time */
  private waitForPerson(until: string): Promise<boolean> {
    const ms = Math.max(MIN_WAIT_MS, Date.parse(until) - Date.now());
    return condition(() => this.hasNews, ms, { summary: describeWait(this.progress, until) });
  }

  /** Takes over what an activity of the session returned, unless a newer signal arrived meanwhile. */
  private settle(progress: SessionProgress): void {
    this.collectDeliveries(progress);
    if (progress.version >= this.progress.version) this.progress = progress;
  }

  private collectDeliveries({ deliveries = [] }: SessionProgress): void {
    const isNew = ({ event, webhookId }: EventDelivery): boolean =>
      !this.deliveries.some((known) => known.event === event && known.webhookId === webhookId);
    this.deliveries.push(...deliveries.filter(isNew));
  }

  private begin(check: SessionCheck): void {
    if (this.begun.has(check.checkId)) return;
    this.begun.add(check.checkId);
    this.running += 1;
    void this.runCheck(check)
      .catch((error: unknown) => {
        // A cancelled workflow ends by its own wait.
        if (!isCancellation(error)) this.fault = error instanceof Error ? error : new Error(String(error));
      })
      .finally(() => {
        this.running -= 1;
        this.hasNews = true;
      });
  }

  /** Runs a check in its pool, which records the result and advances the session. */
  private async runCheck({ checkId, kind }: SessionCheck): Promise<void> {
    const { runCheck } = proxyActivities<CheckActivities>({
      ...ACTIVITY_OPTIONS[CHECKS[kind].pool],
      activityId: checkId,
      summary: describeCheck(kind),
      // Fairness: many checks of one organisation must not delay those of others.
      priority: { fairnessKey: this.input.organisationId },
    });
    try {
      this.settleCheck(await runCheck({ checkId }));
    } catch (error) {
      if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
      this.settleCheck(await failCheck({ checkId, reason: getFailureReason(error) }));
    }
  }

  /** Takes over the progress since a check ended. A process of version 0.1 returns none. */
  private settleCheck({ progress }: Awaited<ReturnType<CheckActivities['runCheck']>>): void {
    if (progress == null) this.requestProgress();
    else this.accept(progress);
  }
}

/**
 * A verification session, from its creation to its first final decision. Its state is in MongoDB: signals and activities
 * report the progress. The workflow runs the checks of the session. A session that is not started in time expires, an
 * idle one is abandoned, and one in review waits for a reviewer without a limit.
 */
export async function verification(input: WorkflowArguments['verification']): Promise<SessionProgress['status']> {
  const session = new Verification(input);
  for (const name of [...Object.values(SUBMISSION_SIGNALS), ...SESSION_SIGNALS]) {
    setHandler(defineSignal<[SessionNews]>(name), ({ progress }) => session.accept(progress));
  }
  setHandler(sessionChanged, () => session.requestProgress());
  const status = await session.run();
  await condition(allHandlersFinished);
  return status;
}
