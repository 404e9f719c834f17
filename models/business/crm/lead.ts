import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';
import { LEAD_STATUSES } from '../../../domain/business/crm/leads';
import type { LeadStatus } from '../../../domain/business/crm/leads';
import { indexNames } from '../../name-order';

/** A potential customer. */
export interface LeadRecord {
  _id: Types.ObjectId;
  organisationId: string;
  id: number;
  name: string;
  companyName: string | null;
  email: string | null;
  phone: string | null;
  /** Where the lead came from, such as `fair` or `website`. */
  source: string | null;
  notes: string | null;
  /** Id of the responsible user. */
  ownerId: number | null;
  status: LeadStatus;
  lostReason: string | null;
  /** Id of the customer into which the lead was converted. */
  customerId: number | null;
  opportunityId: number | null;
  tokens: string[];
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const text = { type: String, default: null } as const;
const number = { type: Number, default: null } as const;

const leadSchema = new Schema<LeadRecord>(
  {
    organisationId: { type: String, required: true },
    id: { type: Number, required: true },
    name: { type: String, required: true },
    companyName: text,
    email: text,
    phone: text,
    source: text,
    notes: text,
    ownerId: number,
    status: { type: String, enum: LEAD_STATUSES, required: true },
    lostReason: text,
    customerId: number,
    opportunityId: number,
    tokens: { type: [String], required: true },
    version: { type: Number, required: true, default: 1 },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'leads', versionKey: false, strict: 'throw' },
);
leadSchema.index({ organisationId: 1, id: 1 }, { unique: true });
leadSchema.index({ organisationId: 1, status: 1, id: 1 });
leadSchema.index({ organisationId: 1, ownerId: 1, id: 1 });
indexNames(leadSchema);
leadSchema.index({ organisationId: 1, createdAt: 1, id: 1 });
leadSchema.index({ organisationId: 1, tokens: 1, id: 1 });

export const Lead = model<LeadRecord>('Lead', leadSchema);
