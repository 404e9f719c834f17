import { newId } from '../../../lib/ids';
import type { CaptureBrowserRecord } from '../../../models/identity/capture/capture-browser';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { saveEvidence, uploadEvidence } from '../../platform/evidence/evidence';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import { admitCheck } from '../checks/session-admission';
import { rejectPdfs } from '../checks/uploads';
import type { Upload } from '../checks/uploads';
import { removeKeptFront } from '../sessions/kept-front';
import { changeSession } from '../sessions/session-store';
import { requireConsent } from './capture-choices';

/**
 * Keeps the front of a document until its back arrives, in place of an earlier one, so that a page can continue with the
 * back after a reload, a crash or on another device. It is erased with the session, and removed when the session ends.
 *
 * @throws AppError 404; 409 `consent_required`, and as a check of the document would be refused; 415
 */
export async function keepFront(
  platform: Platform,
  browser: CaptureBrowserRecord,
  upload: Upload,
): Promise<SessionRecord> {
  const { sessionId } = browser;
  const target = { sessionId, kind: 'id_verification', isCapture: true } as const;
  const { session: before } = await admitCheck(platform, browser, target);
  requireConsent(before);
  if (before.settings.acceptPdfDocuments === false) rejectPdfs([upload]);
  // Replaced by the id of the check that the picture is submitted with.
  const checkId = newId('chk');
  const evidence = await uploadEvidence(platform, browser, { recordId: sessionId, checkId, ...upload });
  return runTransaction(platform, async (unit) => {
    const { session } = await admitCheck(platform, browser, target, unit.mongoSession);
    await saveEvidence(unit, [evidence]);
    await removeKeptFront(unit, session);
    const keptFront = { evidenceId: evidence._id, at: evidence.createdAt };
    const changed = await changeSession(unit, session, { keptFront, lastActivityAt: evidence.createdAt });
    await unit.audit(browser, { actor: browser._id, action: 'capture.front_kept', subject: sessionId });
    return changed;
  });
}
