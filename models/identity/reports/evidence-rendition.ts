import { model, Schema } from 'mongoose';

/** `report`: a session as PDF. `preview`: a picture decoded and encoded anew, so that no byte of the upload is left. */
export const EVIDENCE_RENDITION_KINDS = ['report', 'preview'] as const;
export type EvidenceRenditionKind = (typeof EVIDENCE_RENDITION_KINDS)[number];

/** A file made from a person record by a worker pool, kept as evidence of that record, so that erasure takes it. */
export interface EvidenceRenditionRecord {
  /** `ren_…` */
  _id: string;
  organisationId: string;
  mode: 'live' | 'test';
  /** The session or stand-alone check. */
  recordId: string;
  kind: EvidenceRenditionKind;
  /** What exactly it shows: a report's content hash, a preview's evidence id. */
  source: string;
  status: 'pending' | 'stored' | 'failed';
  /** Once stored. */
  evidenceId: string | null;
  /** Code of why the last attempt was given up. */
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
