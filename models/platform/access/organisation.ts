import { model, Schema } from 'mongoose';
import type { InferSchemaType } from 'mongoose';

/** The tenant. Every other record belongs to exactly one organisation. */
const organisationSchema = new Schema(
  {
    _id: { type: String, required: true },
    name: { type: String, required: true },
    slug: { type: String, required: true },
    /** Exact host:port pairs with private addresses that this organisation's webhooks may call; set by the operator. */
    egressAllow: { type: [String], default: [] },
    /** Whether users without a second factor can only enrol one. */
    secondFactorRequired: { type: Boolean, default: false },
    /** Organisations of this installation whose decisions may be adopted without a review in live mode, by id. */
    trustedOrganisations: { type: [String], default: [] },
    /** The same in test mode. */
    testTrustedOrganisations: { type: [String], default: [] },
    /** Counts removals of administrators, so that concurrent removals conflict and at least one administrator is left. */
    administratorsGuard: { type: Number, default: 0 },
    /** Counts created users, so that a creation and a change of the sign-in policy conflict. */
    usersGuard: { type: Number, default: 0 },
    createdAt: { type: Date, required: true },
  },
  { collection: 'organisations', versionKey: false, strict: 'throw' },
);
organisationSchema.index({ slug: 1 }, { unique: true });

export type OrganisationRecord = InferSchemaType<typeof organisationSchema>;
export const Organisation = model('Organisation', organisationSchema);
