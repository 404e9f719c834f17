import type { AcceptedDocument } from '../documents/accepted-documents';
import type { RiskActions } from '../checks/risks';
import type { Thresholds } from './thresholds';

/** What a session was started with and keeps: later changes of its workflow do not reach it. */
export interface SessionSettings {
  /** attempts at each step within the window before the session goes to review */
  maxAttempts: number;
  /** days in which attempts are counted together */
  attemptWindowDays: number;
  /** hours until a session that was never opened expires */
  linkTtlHours: number;
  /** hours without any activity until an opened session counts as abandoned */
  abandonAfterHours: number;
  /** days an approval holds; null: for ever */
  approvalValidDays: number | null;
  /** days after its end until a session is erased; null: kept until deleted */
  retentionDays: number | null;
  /** whether an approved session's selfie is kept among the `users` that later faces are compared with */
  indexApprovedFaces: boolean;
  /** what a risk does instead of the catalogue's default */
  actions: RiskActions;
  thresholds: Thresholds;
  /** types and states of documents; null: every document the service reads */
  acceptedDocuments: AcceptedDocument[] | null;
}

/** @default what a session is started with where its workflow does not say otherwise */
export const DEFAULT_SETTINGS: SessionSettings = {
  maxAttempts: 3,
  attemptWindowDays: 7,
  linkTtlHours: 7 * 24,
  abandonAfterHours: 24,
  approvalValidDays: null,
  retentionDays: null,
  indexApprovedFaces: true,
  actions: {},
  thresholds: {},
  acceptedDocuments: null,
};
