import { model, Schema } from 'mongoose';
import type { InferSchemaType } from 'mongoose';

/**
 * An audit row: actor, action, record id and field names, never values. Rows are inserted in the transaction of the
 * change and chained later, in commit order.
 */
const auditSchema = new Schema(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    at: { type: Date, required: true },
    actor: { type: String, required: true },
    action: { type: String, required: true },
    subject: { type: String, required: true },
    fields: { type: [String], default: [] },
    reason: { type: String, default: null },
    requestId: { type: String, default: null },
    /** Authentication code of the content, under a key derived from the master key. */
    mac: { type: String, default: null },
    /** Position in the chain, starting at 1; null until chained. */
    position: { type: Number, default: null },
    previousHash: { type: String, default: null },
    hash: { type: String, default: null },
  },
  { collection: 'audit_log', versionKey: false, strict: 'throw' },
);
auditSchema.index(
  { organisationId: 1, position: 1 },
  { unique: true, partialFilterExpression: { position: { $type: 'number' } } },
);
auditSchema.index({ position: 1, organisationId: 1, _id: 1 });
auditSchema.index({ organisationId: 1, mode: 1, _id: -1 });
auditSchema.index({ organisationId: 1, mode: 1, subject: 1, _id: -1 });
auditSchema.index({ organisationId: 1, mode: 1, actor: 1, _id: -1 });
auditSchema.index({ organisationId: 1, mode: 1, action: 1, _id: -1 });
auditSchema.index({ organisationId: 1, mode: 1, at: -1 });

/** The head of an organisation's audit chain. */
const auditHeadSchema = new Schema(
  {
    _id: { type: String, required: true },
    position: { type: Number, required: true, default: 0 },
    hash: { type: String, required: true },
    /** Position of the last head that was signed and written to the object store. */
    signedPosition: { type: Number, default: 0 },
    /** Position of the last head that the receiver of AUDIT_HEAD_WEBHOOK_URL accepted. */
    acceptedPosition: { type: Number, default: 0 },
    /** Last attempt to post a head; chains that have waited longest come first. */
    postedAt: { type: Date, default: null },
  },
  { collection: 'audit_heads', versionKey: false, strict: 'throw' },
);

export type AuditRecord = InferSchemaType<typeof auditSchema>;
export type AuditHeadRecord = InferSchemaType<typeof auditHeadSchema>;
export const Audit = model<AuditRecord>('Audit', auditSchema);
export const AuditHead = model('AuditHead', auditHeadSchema);
