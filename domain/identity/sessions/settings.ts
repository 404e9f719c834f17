import type { AcceptedDocument } from '../documents/accepted-documents';
import type { RiskActions } from '../checks/risks';
import type { Thresholds } from './thresholds';

/** The settings that a session was created with: later changes of its template do not affect it. */
export interface SessionSettings {
  /** Attempts at each step within the window before the session goes to review. */
  maxAttempts: number;
  /** Window in days in which attempts are counted. */
  attemptWindowDays: number;
  /** Hours until a session that was not started expires. */
  linkTtlHours: number;
  /** Hours of inactivity until a started session is abandoned. */
  abandonAfterHours: number;
  /** Days until an approval expires; null if it does not. */
  approvalValidDays: number | null;
  /** Days after its end until a session is erased; null if it is kept until deleted. */
  retentionDays: number | null;
  /** Whether the selfie of an approved session joins the `users` that later faces are compared with. */
  indexApprovedFaces: boolean;
  /** Actions of risks in place of the defaults of the catalogue. */
  actions: RiskActions;
  thresholds: Thresholds;
  /** Accepted types and issuing states of documents; null accepts every document that the service reads. */
  acceptedDocuments: AcceptedDocument[] | null;
  /** Whether identity documents may be sent as PDFs; absent in records of earlier versions, which accept them. */
  acceptPdfDocuments?: boolean | undefined;
}

/** The settings of a session unless its template overrides them. */
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
  acceptPdfDocuments: true,
};
