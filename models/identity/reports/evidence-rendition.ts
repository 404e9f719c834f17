import { model, Schema } from 'mongoose';

/** `report`: a session as PDF. `preview`: an image decoded and encoded again, so that it contains no byte of the upload. */
export const EVIDENCE_RENDITION_KINDS = ['report', 'preview'] as const;
export type EvidenceRenditionKind = (typeof EVIDENCE_RENDITION_KINDS)[number];

/** A file rendered from a person record by a worker pool and kept as evidence of that record, so that erasure removes it. */
export interface EvidenceRenditionRecord {
  /** `ren_…` */
  _id: string;
  organisationId: string;
  mode: 'live' | 'test';
  /** Id of the session or standalone check. */
  recordId: string;
  kind: EvidenceRenditionKind;
  /** Identifies the exact source: the content hash of a report, the evidence id of a preview. */
  source: string;
  status: 'pending' | 'stored' | 'failed';
  /** Id of the stored file; null until then. */
  evidenceId: string | null;
  /** Error code of the last failed attempt. */
  failure: string | null;
  requestedAt: Date;
  completedAt: Date | null;
}

const evidenceRenditionSchema = new Schema<EvidenceRenditionRecord>(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    recordId: { type: String, required: true },
    kind: { type: String, enum: EVIDENCE_RENDITION_KINDS, required: true },
    source: { type: String, required: true },
    status: { type: String, enum: ['pending', 'stored', 'failed'], required: true },
    evidenceId: { type: String, default: null },
    failure: { type: String, default: null },
    requestedAt: { type: Date, required: true },
    completedAt: { type: Date, default: null },
  },
  { collection: 'evidence_renditions', versionKey: false, strict: 'throw' },
);
evidenceRenditionSchema.index({ organisationId: 1, mode: 1, recordId: 1, kind: 1, source: 1 }, { unique: true });

export const EvidenceRendition = model<EvidenceRenditionRecord>('EvidenceRendition', evidenceRenditionSchema);
