import { conflictError, invalidFieldError } from '../../../domain/errors';
import { buildConsentText, CONSENT_VERSION } from '../../../domain/identity/capture/consent-texts';
import type { CaptureLanguage } from '../../../domain/identity/capture/consent-texts';
import { isChoiceAccepted } from '../../../domain/identity/capture/document-choice';
import type { DocumentChoice } from '../../../domain/identity/capture/document-choice';
import { acceptsChecks, sessionClosedError } from '../../../domain/identity/sessions/session';
import type { CaptureBrowserRecord } from '../../../models/identity/capture/capture-browser';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { removeKeptFront } from '../sessions/kept-front';
import { changeSession, getSession } from '../sessions/session-store';
import type { SessionChanges } from '../sessions/session-store';
import { mapMissingToErased } from './browsers';
import { getPresentation } from './capture-state';

/** The text that a person consents to. */
export interface ConsentText {
  version: string;
  language: CaptureLanguage;
  paragraphs: string[];
}

/** The present consent text for the organisation of a session. */
export async function getConsentText(session: SessionRecord, language: CaptureLanguage): Promise<ConsentText> {
  const { name } = await getPresentation(session);
  return { version: CONSENT_VERSION, language, paragraphs: buildConsentText(language, name) };
}

/** @throws AppError 409 `session_closed` */
function requireCapturable({ status }: SessionRecord): void {
  if (acceptsChecks(status)) return;
  throw sessionClosedError(status);
}

/** @throws AppError 409 `consent_required`, before anything of the person is accepted */
export function requireConsent({ consent }: SessionRecord): void {
  if (consent?.version !== undefined) return;
  throw conflictError('consent_required', 'The person has not consented yet: POST /v1/capture/consent.');
}

/** Changes an open session in a transaction of its own, and records which fields the person has set. */
const changeOpenSession = (
  platform: Platform,
  browser: CaptureBrowserRecord,
  action: string,
  prepare: (session: SessionRecord, unit: UnitOfWork) => Promise<SessionChanges>,
): Promise<SessionRecord> =>
  mapMissingToErased(
    runTransaction(platform, async (unit) => {
      const session = await getSession(browser, browser.sessionId, unit.mongoSession);
      requireCapturable(session);
      const changes = await prepare(session, unit);
      const changed = await changeSession(unit, session, { ...changes, lastActivityAt: platform.clock.now() });
      const fields = Object.keys(changes);
      await unit.audit(browser, { actor: browser._id, action, subject: session._id, fields });
      return changed;
    }),
  );

/**
 * Records the consent of the person with the text that was shown.
 * @throws AppError 409 `consent_outdated` if the text has changed since it was shown, `session_closed`; 410 `session_erased`
 */
export const recordConsent = (
  platform: Platform,
  browser: CaptureBrowserRecord,
  { version, language }: { version: string; language: CaptureLanguage },
): Promise<SessionRecord> =>
  changeOpenSession(platform, browser, 'capture.consented', async (session) => {
    const text = await getConsentText(session, language);
    if (version !== text.version) {
      throw conflictError('consent_outdated', 'The text has changed; show it again.', { version: text.version });
    }
    return { consent: { version, language, text: text.paragraphs.join('\n\n'), at: platform.clock.now() } };
  });

/**
 * Records which document the person photographs. A front that was kept is of an earlier choice, and is removed.
 * @throws AppError 400 for a document that the session does not accept; 409 `session_closed`, `feature_not_requested`
 */
export const chooseDocument = (
  platform: Platform,
  browser: CaptureBrowserRecord,
  choice: DocumentChoice,
): Promise<SessionRecord> =>
  changeOpenSession(platform, browser, 'capture.document_chosen', async (session, unit) => {
    requireConsent(session);
    const { features, settings } = session;
    if (!features.includes('id')) {
      const verified = features.join(', ');
      throw conflictError('feature_not_requested', `The session verifies ${verified}, not id.`, { features });
    }
    if (!isChoiceAccepted(settings.acceptedDocuments, choice)) {
      throw invalidFieldError('type', 'accepts the documents of `documents` in the state of the capture');
    }
    return { documentChoice: choice, ...(await removeKeptFront(unit, session)) };
  });
