import { AppError } from '../../domain/errors';
import {
  checkOfWorkflow,
  completeDocumentCheck,
  completeFaceCheck,
  readInputs,
  summaryOf,
} from '../../services/identity/check-results';
import type { CheckSummary } from '../../services/identity/check-results';
import type { CheckRecord } from '../../models/identity/check';
import type { Platform } from '../../services/platform/platform';
import { withHeartbeat } from '../heartbeat';
import type { VisionEngine } from './engine';

/** A third of the heartbeat timeout of the pool. */
const HEARTBEAT_MS = 5000;

export interface VisionActivities {
  /** Runs the engine on a check's evidence and records the result, once, however often it is called. */
  runCheck: (input: { checkId: string }) => Promise<CheckSummary>;
}

/** The part of the engine that checks use. */
export type CheckEngine = Pick<VisionEngine, 'readDocument' | 'analyseLiveness' | 'matchFaces'>;

function required(pictures: ReadonlyMap<string, Buffer>, field: string): Buffer {
  const picture = pictures.get(field);
  if (picture === undefined) throw new AppError('evidence_missing', 404, `The check has no ${field}.`);
  return picture;
}

async function examine(platform: Platform, engine: CheckEngine, check: CheckRecord): Promise<CheckSummary> {
  const pictures = await readInputs(platform, check);
  switch (check.kind) {
    case 'id_verification': {
      const back = pictures.get('backImage');
      const result = await engine.readDocument({
        front: required(pictures, 'frontImage'),
        ...(back === undefined ? {} : { back }),
        today: check.createdAt.toISOString().slice(0, 10),
      });
      return completeDocumentCheck(platform, check, result);
    }
    case 'liveness': {
      const result = await engine.analyseLiveness(required(pictures, 'image'));
      return completeFaceCheck<'liveness'>(platform, check, result);
    }
    case 'face_match': {
      // A reference is often a document, sent by the client or taken from the session.
      const result = await engine.matchFaces(required(pictures, 'userImage'), required(pictures, 'refImage'), {
        refIsDocument: true,
      });
      return completeFaceCheck<'face_match'>(platform, check, result);
    }
  }
}

export const createVisionActivities = (platform: Platform, engine: CheckEngine): VisionActivities => ({
  runCheck: ({ checkId }) =>
    withHeartbeat(HEARTBEAT_MS, async () => {
      const check = await checkOfWorkflow(checkId);
      if (check === null) return { status: 'erased', verdict: null, risks: [] };
      return check.status === 'processing' ? examine(platform, engine, check) : summaryOf(check);
    }),
});
