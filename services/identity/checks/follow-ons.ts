import type { ClientSession } from 'mongoose';
import { getCheckDefinition } from '../../../domain/identity/checks/checks';
import type { CheckKind } from '../../../domain/identity/checks/checks';
import type { Feature } from '../../../domain/identity/sessions/features';
import {
  findUsableCheck,
  hasCurrentSources,
  listCountedAttempts,
  listDueFollowOns,
  listStepsToReopen,
  outdateAttempts,
  reopenSteps,
} from '../../../domain/identity/sessions/steps';
import type { FollowOn } from '../../../domain/identity/sessions/steps';
import { newId } from '../../../lib/ids';
import type { CheckRecord } from '../../../models/identity/checks/check';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { resolveSandboxValue } from './sandbox-values';
import { addAttempt } from './add-attempt';
import { draftCheck, insertCheck } from './check-store';
import { getComparisonInputs, getSelfieInput, listCapturesWithoutImages } from '../biometrics/portraits';
import { findDocumentClaims } from '../documents/document-claims';
import { findSessionSubject } from '../aml/session-subject';
import { changeSession } from '../sessions/session-store';
import { runsItsChecks } from '../sessions/temporal-workflow';

/** The inputs and details of a follow-on check. */
type Preparation = Pick<CheckRecord, 'inputs' | 'details'>;

/**
 * Prepares a follow-on check from the data of its session. Null if the session lacks that data: the step then waits for
 * a check submitted by the client or, if images are missing, for another capture.
 */
type Prepare = (
  session: SessionRecord,
  sources: FollowOn['sources'],
  mongoSession: ClientSession,
) => Promise<Preparation | null>;

/** One entry for every kind of check that has a `follows` rule in `CHECKS`. */
const PREPARATIONS: Partial<Record<CheckKind, Prepare>> = {
  face_match: async (session, sources, mongoSession) => {
    const inputs = await getComparisonInputs(session, sources, mongoSession);
    return inputs === null ? null : { inputs, details: null };
  },
  age: async (session, sources, mongoSession) => {
    const selfie = await getSelfieInput(session, sources, 'image', mongoSession);
    const details = { minimumAge: session.settings.thresholds.minimumAge ?? null };
    return selfie === null ? null : { inputs: [selfie], details };
  },
  database_validation: findDocumentClaims,
  aml_screening: async (session, sources, mongoSession) => ({
    inputs: [],
    details: await findSessionSubject(session, sources, mongoSession),
  }),
};

/** Marks the checks of a kind that followed from other sources as outdated, if the present ones lack the data for another. */
async function outdateFollowOns(unit: UnitOfWork, session: SessionRecord, kind: CheckKind): Promise<SessionRecord> {
  const checkIds = session.steps
    .filter(({ feature }) => feature === getCheckDefinition(kind).feature)
    .flatMap(listCountedAttempts)
    .filter(({ origin }) => origin === 'follow_on')
    .map(({ checkId }) => checkId);
  return checkIds.length === 0
    ? session
    : changeSession(unit, session, { steps: outdateAttempts(session.steps, checkIds) });
}

/**
 * Reopens the captures whose images a check needs and the session does not have. If one of these captures was declined,
 * none is reopened: only a reviewer can overrule that.
 */
async function reopenCaptures(
  unit: UnitOfWork,
  session: SessionRecord,
  kind: CheckKind,
  from: readonly Feature[],
): Promise<SessionRecord> {
  const withoutImages = await listCapturesWithoutImages(session, unit.mongoSession);
  const requested = withoutImages.filter((feature) => from.includes(feature));
  const reopened = requested.length === 0 ? [] : listStepsToReopen(session.features, requested, withoutImages);
  const isDeclined = reopened.some((feature) => findUsableCheck(session.steps, feature)?.outcome === 'declined');
  if (reopened.length === 0 || isDeclined) return outdateFollowOns(unit, session, kind);
  return changeSession(unit, session, { steps: reopenSteps(session.steps, reopened) });
}

async function createFollowOn(
  unit: UnitOfWork,
  session: SessionRecord,
  { kind, sources, pair }: FollowOn,
): Promise<SessionRecord> {
  const prepared = await PREPARATIONS[kind]?.(session, sources, unit.mongoSession);
  if (prepared === undefined || prepared === null) {
    const { follows } = getCheckDefinition(kind);
    return follows?.examinesImages === true
      ? reopenCaptures(unit, session, kind, follows.from)
      : outdateFollowOns(unit, session, kind);
  }
  const check = draftCheck(unit.platform, session, {
    _id: newId('chk'),
    kind,
    sessionId: session._id,
    origin: 'follow_on',
    ...prepared,
    createdBy: 'system',
    sandbox: resolveSandboxValue(session, undefined, session),
  });
  await insertCheck(unit, check, { runsInSession: runsItsChecks(session) });
  await unit.audit(session, { actor: 'system', action: 'check.created', subject: check._id });
  return addAttempt(unit, session, check, pair);
}

/** Creates every follow-on check that is due. */
export async function createFollowOns(unit: UnitOfWork, session: SessionRecord): Promise<SessionRecord> {
  let followed = session;
  for (const due of listDueFollowOns(session.steps, session.settings, unit.platform.clock.now())) {
    // Not from captures that were reopened for another one.
    if (hasCurrentSources(followed.steps, due)) followed = await createFollowOn(unit, followed, due);
  }
  return followed;
}
