import { AppError } from '../../../domain/errors';
import { listCaptureSteps } from '../../../domain/identity/capture/capture-steps';
import type { CaptureStep } from '../../../domain/identity/capture/capture-steps';
import { buildReturnUrl } from '../../../domain/identity/capture/return-url';
import { acceptsChecks } from '../../../domain/identity/sessions/session';
import type { Branding } from '../../../domain/identity/sessions/session-template';
import type { CaptureBrowserRecord } from '../../../models/identity/capture/capture-browser';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { getOrganisation } from '../../platform/access/organisations';
import type { Platform } from '../../platform/platform';
import { getSession } from '../sessions/session-store';
import { getTemplate } from '../sessions/session-templates';
import { findBrandLogoVersion } from './brand-logos';
import { countHandOvers, mapMissingToErased } from './browsers';

/** What the capture page shows of a session: no personal data, scores or findings. */
export interface CaptureState {
  session: SessionRecord;
  /** The organisation as it presents itself to the person. */
  organisation: Branding & { name: string; logoVersion: string | null };
  steps: CaptureStep[];
  /** Whether the person can capture anything now. */
  open: boolean;
  handedOver: boolean;
  /** How often another device has opened a code of this browser. */
  handOvers: number;
}

/** The name and colour of the organisation, as the session's template sets them. */
export async function getPresentation(session: SessionRecord): Promise<Branding & { name: string }> {
  const { name } = await getOrganisation(session.organisationId);
  if (session.templateId === null) return { name };
  const { definition } = await getTemplate(session, session.templateId, session.templateVersion ?? undefined);
  const { branding } = definition;
  return branding === null ? { name } : { ...branding, name: branding.name ?? name };
}

/** The session of a browser of the capture page. @throws AppError 410 `session_erased` */
export const getBrowserSession = (browser: CaptureBrowserRecord): Promise<SessionRecord> =>
  mapMissingToErased(getSession(browser, browser.sessionId));

/**
 * Runs `work` on the session of a browser; if the session is erased meanwhile, that is the answer. Other records that
 * `work` does not find remain a 404.
 * @throws AppError 410 `session_erased`
 */
export async function runUnlessErased<T>(browser: CaptureBrowserRecord, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && error.status === 404) await getBrowserSession(browser);
    throw error;
  }
}

/** The present state of the capture. @throws AppError 410 `session_erased` */
export async function getCaptureState(platform: Platform, browser: CaptureBrowserRecord): Promise<CaptureState> {
  const session = await getBrowserSession(browser);
  const [presentation, logoVersion, { isHandedOver, count }] = await Promise.all([
    getPresentation(session),
    findBrandLogoVersion(session.organisationId),
    countHandOvers(browser),
  ]);
  return {
    session,
    organisation: { ...presentation, logoVersion },
    handedOver: isHandedOver,
    handOvers: count,
    open: acceptsChecks(session.status),
    steps: listCaptureSteps(session.steps, session.settings, platform.clock.now()),
  };
}

/** The address to which the person returns; null without a callback URL. */
export const getReturnUrl = ({ callbackUrl, _id: id, status }: SessionRecord): string | null =>
  callbackUrl === null ? null : buildReturnUrl(callbackUrl, { id, status });
