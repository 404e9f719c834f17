import { model, Schema } from 'mongoose';
import type { InferSchemaType } from 'mongoose';

/** The tenant: every other record belongs to exactly one. */
const organisationSchema = new Schema(
  {
    _id: { type: String, required: true },
    name: { type: String, required: true },
    slug: { type: String, required: true },
    /** Exact host:port pairs that this organisation's webhooks may reach although they are private; the operator's choice. */
    egressAllow: { type: [String], default: [] },
    /** Counts changes that take an administrator away, so that two at once conflict instead of taking the last two. */
    administratorsGuard: { type: Number, default: 0 },
    createdAt: { type: Date, required: true },
  },
  { collection: 'organisations', versionKey: false, strict: 'throw' },
);
organisationSchema.index({ slug: 1 }, { unique: true });

export type OrganisationRecord = InferSchemaType<typeof organisationSchema>;
export const Organisation = model('Organisation', organisationSchema);
