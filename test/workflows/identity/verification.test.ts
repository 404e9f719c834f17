import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import type { WorkflowBundle } from '@temporalio/worker';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { WorkflowHandle } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';
import type { CheckActivities } from '../../../activities/checks';
import type { IdentityRecordsActivities } from '../../../activities/records/identity';
import { DAY_MS, HOUR_MS } from '../../../domain/durations';
import type { EventDelivery, SessionCheck, SessionProgress } from '../../../domain/identity/sessions/progress';
import { isFinalStatus } from '../../../domain/identity/sessions/session';
import type { SessionStatus } from '../../../domain/identity/sessions/session';
import { QUEUES } from '../../../workflows/contracts';
import type { SessionSignal } from '../../../workflows/contracts';
import { recordHistory } from '../../support/histories';
import { POOL_INTERCEPTORS, RECORDS_INTERCEPTORS } from '../../support/pool-interceptors';
import { bundleWorkflows, startTimeSkippingServer, waitForTimer } from '../../support/time-skipping';

let environment: TestWorkflowEnvironment;
let workflowBundle: WorkflowBundle;

beforeAll(async () => {
  environment = await startTimeSkippingServer();
  workflowBundle = await bundleWorkflows();
});

afterAll(async () => {
  await environment.teardown();
});

const document: SessionCheck = { checkId: 'chk_document', kind: 'id_verification' };
const selfie: SessionCheck = { checkId: 'chk_selfie', kind: 'liveness' };
const faces: SessionCheck = { checkId: 'chk_faces', kind: 'face_match' };

/** A session in memory; `calls` are the activities that its workflow called. */
class MemorySession {
  readonly id = `ses_${randomUUID()}`;
  readonly calls: string[] = [];
  private version = 1;
  /** What each check leads to; `undefined`: the session waits for the person. */
  readonly results = new Map<string, { status?: SessionStatus; checks?: SessionCheck[] }>();
  /** Rejections of the next runs of checks. */
  readonly faults: Error[] = [];

  private constructor(
    public progress: SessionProgress,
    private readonly startedAt: number,
  ) {}

  static async create(status: SessionStatus, changes: Partial<SessionProgress> = {}): Promise<MemorySession> {
    const now = await environment.currentTimeMs();
    const created = new MemorySession(
      {
        status,
        final: isFinalStatus(status),
        opening: 1,
        version: 1,
        steps: [
          { feature: 'id', status: 'not_run', risks: [], automatic: false },
          { feature: 'liveness', status: 'not_run', risks: [], automatic: false },
          { feature: 'face_match', status: 'not_run', risks: [], automatic: true },
        ],
        checks: [],
        due: false,
        idleUntil: status === 'in_review' ? null : new Date(now + 7 * DAY_MS).toISOString(),
        reasons: [],
        ...changes,
      },
      now,
    );
    return created;
  }

  /** Changes the session as a transaction would. */
  change(changes: Partial<SessionProgress>): SessionProgress {
    this.version += 1;
    const status = changes.status ?? this.progress.status;
    const final = isFinalStatus(status as SessionStatus);
    const idleUntil = final || status === 'in_review' ? null : this.progress.idleUntil;
    this.progress = { ...this.progress, idleUntil, due: false, ...changes, final, version: this.version };
    return this.progress;
  }

  elapsedDays = async (handle: WorkflowHandle): Promise<number> => {
    const { closeTime } = await handle.describe();
    return ((closeTime?.getTime() ?? NaN) - this.startedAt) / DAY_MS;
  };

  readonly checks: CheckActivities = {
    runCheck: ({ checkId }) => {
      this.calls.push(`run ${checkId}`);
      const fault = this.faults.shift();
      return fault === undefined ? Promise.resolve(this.end(checkId)) : Promise.reject(fault);
    },
  };

  readonly records: IdentityRecordsActivities = {
    advanceSession: () => {
      this.calls.push('advance');
      return Promise.resolve(this.change({}));
    },
    endIdleSession: () => {
      this.calls.push('end');
      return Promise.resolve(this.change({ status: this.progress.status === 'not_started' ? 'expired' : 'abandoned' }));
    },
    expireApprovals: () => Promise.reject(new Error('A Schedule expires approvals.')),
    failCheck: ({ checkId, reason }) => {
      this.calls.push(`fail ${checkId}: ${reason}`);
      return Promise.resolve({ ...this.end(checkId), status: 'failed', verdict: null });
    },
  };

  private end(checkId: string): Awaited<ReturnType<CheckActivities['runCheck']>> {
    const { status, checks = [] } = this.results.get(checkId) ?? {};
    const remaining = this.progress.checks.filter((check) => check.checkId !== checkId);
    const progress = this.change({ checks: [...remaining, ...checks], ...(status === undefined ? {} : { status }) });
    return { status: 'completed', verdict: 'approved', risks: [], progress };
  }
}

const signal = (handle: WorkflowHandle, name: SessionSignal, progress: SessionProgress): Promise<void> =>
  handle.signal(name, { outboxId: `obx_${randomUUID()}`, progress });

/** Runs the workflow of a session while `run` acts on it. */
async function follow(session: MemorySession, run: (handle: WorkflowHandle) => Promise<void>): Promise<void> {
  const connection = environment.nativeConnection;
  const orchestration = await Worker.create({
    connection,
    taskQueue: QUEUES.orchestration,
    workflowBundle,
    activities: session.records,
    interceptors: RECORDS_INTERCEPTORS,
  });
  const vision = await Worker.create({
    connection,
    taskQueue: QUEUES.vision,
    activities: session.checks,
    interceptors: POOL_INTERCEPTORS,
  });
  await orchestration.runUntil(
    vision.runUntil(async () => {
      const handle = await environment.client.workflow.start('verification', {
        workflowId: session.id,
        taskQueue: QUEUES.orchestration,
        args: [{ sessionId: session.id, opening: 1, organisationId: 'org_1', progress: session.progress }],
      });
      await run(handle);
    }),
  );
}

const readText = (payload: temporal.api.common.v1.IPayload | null | undefined): string | undefined =>
  payload?.data === undefined || payload.data === null
    ? undefined
    : String(JSON.parse(Buffer.from(payload.data).toString()));

describe('the verification workflow', () => {
  test('runs each submitted check and the one that follows, and ends with the decision in six workflow tasks', async () => {
    const session = await MemorySession.create('not_started');
    session.results.set('chk_selfie', { checks: [faces] });
    session.results.set('chk_faces', { status: 'approved' });
    await follow(session, async (handle) => {
      // A signal before the first workflow task would leave nothing to wait for.
      await waitForTimer(handle);
      await signal(handle, 'documentSubmitted', session.change({ status: 'in_progress', checks: [document] }));
      await environment.sleep(HOUR_MS);
      await signal(handle, 'selfieSubmitted', session.change({ checks: [selfie] }));
      expect(await handle.result()).toBe('approved');
      expect(session.calls).toEqual(['run chk_document', 'run chk_selfie', 'run chk_faces']);

      const events = (await handle.fetchHistory()).events ?? [];
      const summaries = events.map(({ userMetadata }) => readText(userMetadata?.summary)).filter(Boolean);
      expect(summaries).toEqual([
        expect.stringMatching(/^Waiting for document, selfie until \d+ \w{3} \d{4}, \d\d:\d\d UTC$/),
        'Check the document',
        expect.stringMatching(/^Waiting for /),
        'Check the selfie',
        'Compare the faces',
      ]);
      const tasks = events.filter((event) => event.workflowTaskCompletedEventAttributes);
      expect(tasks.length).toBeLessThanOrEqual(6);
      await recordHistory(handle, 'verification');
    });
  });

  test('advances a session whose check ended before and reports that a decision may be due, in the version of a signal', async () => {
    const session = await MemorySession.create('in_progress', { checks: [document] });
    // The report of the first attempt was lost, and a review of hits has changed the session since.
    session.checks.runCheck = ({ checkId }) => {
      session.calls.push(`run ${checkId}`);
      const progress = session.change({ checks: [], due: true });
      return Promise.resolve({ status: 'completed', verdict: 'approved', risks: [], progress });
    };
    session.records.advanceSession = () => {
      session.calls.push('advance');
      return Promise.resolve(session.change({ status: 'approved' }));
    };
    await follow(session, async (handle) => {
      expect(await handle.result()).toBe('approved');
      expect(session.calls).toEqual(['run chk_document', 'advance']);
    });
  });

  test('shows status, steps, reasons and deliveries, each once, as current details', async () => {
    const session = await MemorySession.create('in_review', {
      reasons: ['document_expired'],
      steps: [{ feature: 'id', status: 'review', risks: ['document_expired'], automatic: false }],
      deliveries: [{ event: 'session.review', webhookId: 'whk_1' }],
    });
    await follow(session, async (handle) => {
      const metadata = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
      expect(metadata.currentDetails).toBe(
        '**in_review**\n\nWaiting for a reviewer\n\nReasons: `document_expired`\n\n' +
          '- id: **review** (`document_expired`)\n\nWebhooks:\n- `session.review` in `whk_1.deliveries`',
      );
      const deliveries: EventDelivery[] = [{ event: 'session.declined', webhookId: 'whk_1' }];
      const declined = session.change({ status: 'declined', deliveries });
      await signal(handle, 'reviewerDecided', declined);
      await signal(handle, 'reviewerDecided', declined).catch(() => undefined);
      expect(await handle.result()).toBe('declined');
      const after = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
      expect(after.currentDetails).toMatch(
        /\n- `session.review` in `whk_1.deliveries`\n- `session.declined` in `whk_1.deliveries`$/,
      );
    });
  });

  test('expires a session that is not started, and abandons an idle one, at the time that its progress states', async () => {
    const unstarted = await MemorySession.create('not_started');
    await follow(unstarted, async (handle) => {
      expect(await handle.result()).toBe('expired');
      expect(await unstarted.elapsedDays(handle)).toBeCloseTo(7, 2);
    });
    const idle = await MemorySession.create('not_started');
    await follow(idle, async (handle) => {
      await environment.sleep(HOUR_MS);
      const idleUntil = new Date((await environment.currentTimeMs()) + DAY_MS).toISOString();
      const begun = idle.change({ status: 'in_progress', checks: [document] });
      idle.progress = { ...begun, idleUntil };
      await signal(handle, 'documentSubmitted', idle.progress);
      expect(await handle.result()).toBe('abandoned');
      expect(await idle.elapsedDays(handle)).toBeCloseTo(25 / 24, 2);
      expect(idle.calls).toEqual(['run chk_document', 'end']);
      await recordHistory(handle, 'verification-abandoned');
    });
  });

  test('continues waiting if the session turns out not to be idle', async () => {
    const session = await MemorySession.create('in_progress');
    const end = session.records.endIdleSession;
    let refusals = 1;
    session.records.endIdleSession = async (input) => {
      if (refusals-- === 0) return end(input);
      const later = (await environment.currentTimeMs()) + DAY_MS;
      return session.change({ idleUntil: new Date(later).toISOString() });
    };
    await follow(session, async (handle) => {
      expect(await handle.result()).toBe('abandoned');
      expect(await session.elapsedDays(handle)).toBeCloseTo(8, 2);
    });
  });

  test('waits for a reviewer without a limit, and for the person again after a resubmission was requested', async () => {
    const session = await MemorySession.create('in_review');
    await follow(session, async (handle) => {
      await environment.sleep('90 days');
      expect(session.calls).toEqual([]);
      const idleUntil = new Date((await environment.currentTimeMs()) + DAY_MS).toISOString();
      session.change({ status: 'resubmission_requested' });
      session.progress = { ...session.progress, idleUntil };
      await signal(handle, 'reviewerDecided', session.progress);
      expect(await handle.result()).toBe('abandoned');
      expect(await session.elapsedDays(handle)).toBeCloseTo(91, 2);
      await recordHistory(handle, 'verification-resubmission');
    });
  });

  test('ignores signals that arrive twice or late', async () => {
    const session = await MemorySession.create('not_started');
    await follow(session, async (handle) => {
      const begun = session.change({ status: 'in_progress', checks: [document] });
      await signal(handle, 'documentSubmitted', begun);
      await signal(handle, 'documentSubmitted', begun);
      await environment.sleep('1 minute');
      await signal(handle, 'documentSubmitted', begun);
      await environment.sleep('1 minute');
      await signal(handle, 'sessionCancelled', session.change({ status: 'cancelled' }));
      expect(await handle.result()).toBe('cancelled');
      expect(session.calls).toEqual(['run chk_document']);
    });
  });

  test('runs a check that was accepted before the session was cancelled, also if it learns of both at once', async () => {
    const session = await MemorySession.create('not_started');
    await follow(session, async (handle) => {
      const begun = session.change({ status: 'in_progress', checks: [document] });
      await signal(handle, 'sessionCancelled', session.change({ status: 'cancelled' }));
      await signal(handle, 'documentSubmitted', begun).catch(() => undefined);
      expect(await handle.result()).toBe('cancelled');
      expect(session.calls).toEqual(['run chk_document']);
    });
  });

  test('goes on if processes of version 0.1, during an upgrade, record a change or a check', async () => {
    const session = await MemorySession.create('in_progress');
    session.records.advanceSession = () => {
      session.calls.push('advance');
      return Promise.resolve(session.progress);
    };
    const { runCheck } = session.checks;
    session.checks.runCheck = async (input) => {
      const { status, verdict, risks } = await runCheck(input);
      return { status, verdict, risks } as Awaited<ReturnType<CheckActivities['runCheck']>>;
    };
    session.results.set('chk_document', { status: 'approved' });
    await follow(session, async (handle) => {
      session.change({ checks: [document] });
      await handle.signal('sessionChanged', { outboxId: 'obx_1', kind: 'opened' });
      expect(await handle.result()).toBe('approved');
      expect(session.calls).toEqual(['advance', 'run chk_document', 'advance']);
    });
  });

  test('advances a session only if that is due', async () => {
    const session = await MemorySession.create('not_started', { due: true });
    await follow(session, async (handle) => {
      expect(await handle.result()).toBe('expired');
      expect(session.calls).toEqual(['advance', 'end']);
      await recordHistory(handle, 'verification-due');
    });
  });

  test('records a check that could not be run, and goes on', async () => {
    const session = await MemorySession.create('in_progress', { checks: [document] });
    session.faults.push(ApplicationFailure.nonRetryable('Not an image.', 'image_not_decodable'));
    session.results.set('chk_document', { status: 'in_review' });
    await follow(session, async (handle) => {
      await environment.sleep('1 minute');
      expect(session.calls).toEqual(['run chk_document', 'fail chk_document: image_not_decodable']);
      await signal(handle, 'reviewerDecided', session.change({ status: 'approved' }));
      await handle.result();
      await recordHistory(handle, 'verification-failed-check');
    });
  });

  test('of an earlier opening leaves the checks of a reopened session to the next workflow', async () => {
    const session = await MemorySession.create('in_review');
    await follow(session, async (handle) => {
      const reopened = session.change({ status: 'in_progress', checks: [document], opening: 2 });
      await signal(handle, 'reviewerDecided', reopened);
      await handle.result();
      expect(session.calls).toEqual([]);
    });
  });

  test('ends as cancelled when the session is erased, and cancels its running check', async () => {
    const session = await MemorySession.create('in_progress', { checks: [document] });
    session.faults.push(...Array.from({ length: 3 }, () => new Error('The engine crashed.')));
    await follow(session, async (handle) => {
      await handle.cancel();
      await expect(handle.result()).rejects.toThrow();
      expect((await handle.describe()).status.name).toBe('CANCELLED');
    });
  });
});
