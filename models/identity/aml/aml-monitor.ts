import { model, Schema } from 'mongoose';

/** A subject that is screened again when a relevant list entry changes. */
export interface AmlMonitorRecord {
  _id: string;
  organisationId: string;
  mode: 'live' | 'test';
  /** Id of the screening or the business check that started monitoring; it contains the subject. */
  recordId: string;
  threshold: number;
  lists: string[] | null;
  /** Id of the last screening, or of the business check before the first. */
  lastScreeningId: string;
  lastScreenedAt: Date;
  /** List version because of which the subject was last screened again; absent before the first time. */
  lastCauseVersion?: string;
  alerts: number;
  createdBy: string;
  createdAt: Date;
  deletedAt: Date | null;
}

const amlMonitorSchema = new Schema<AmlMonitorRecord>(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    recordId: { type: String, required: true },
    threshold: { type: Number, required: true },
    lists: { type: [String], default: null },
    lastScreeningId: { type: String, required: true },
    lastScreenedAt: { type: Date, required: true },
    lastCauseVersion: { type: String },
    alerts: { type: Number, required: true },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
    deletedAt: { type: Date, default: null },
  },
  { collection: 'aml_monitors', versionKey: false, strict: 'throw' },
);
amlMonitorSchema.index({ organisationId: 1, mode: 1, deletedAt: 1, _id: -1 });
amlMonitorSchema.index({ organisationId: 1, mode: 1, recordId: 1 });
// For iterating over all monitors after a change of a list of the installation.
amlMonitorSchema.index({ deletedAt: 1, mode: 1, _id: 1 });

export const AmlMonitor = model<AmlMonitorRecord>('AmlMonitor', amlMonitorSchema);
