import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';
import { OPPORTUNITY_STAGES } from '../../../domain/business/crm/opportunity-stages';
import type { OpportunityStage } from '../../../domain/business/crm/opportunity-stages';
import { indexNames } from '../../name-order';

/** A change of stage; `from` is null for the first stage. */
export interface StageEntry {
  from: OpportunityStage | null;
  to: OpportunityStage;
  at: Date;
  /** Id of the user or API key. */
  by: string;
  /** Reason for moving back, reopening or losing the opportunity. */
  reason: string | null;
}

/** A potential sale. */
export interface OpportunityRecord {
  _id: Types.ObjectId;
  organisationId: string;
  id: number;
  name: string;
  customerId: number | null;
  /** Id of the converted lead. */
  leadId: number | null;
  stage: OpportunityStage;
  amount: Types.Decimal128 | null;
  currencyCode: string;
  /** `YYYY-MM-DD` */
  expectedCloseDate: string | null;
  /** Id of the responsible user. */
  ownerId: number | null;
  notes: string | null;
  lostReason: string | null;
  /** Time at which the opportunity was won or lost. */
  closedAt: Date | null;
  history: StageEntry[];
  tokens: string[];
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const text = { type: String, default: null } as const;
const number = { type: Number, default: null } as const;

const stageEntrySchema = new Schema<StageEntry>(
  {
    from: { type: String, enum: [...OPPORTUNITY_STAGES, null], default: null },
    to: { type: String, enum: OPPORTUNITY_STAGES, required: true },
    at: { type: Date, required: true },
    by: { type: String, required: true },
    reason: text,
  },
  { _id: false, strict: 'throw' },
);

const opportunitySchema = new Schema<OpportunityRecord>(
  {
    organisationId: { type: String, required: true },
    id: { type: Number, required: true },
    name: { type: String, required: true },
    customerId: number,
    leadId: number,
    stage: { type: String, enum: OPPORTUNITY_STAGES, required: true },
    amount: { type: Schema.Types.Decimal128, default: null },
    currencyCode: { type: String, required: true },
    expectedCloseDate: text,
    ownerId: number,
    notes: text,
    lostReason: text,
    closedAt: { type: Date, default: null },
    history: { type: [stageEntrySchema], required: true },
    tokens: { type: [String], required: true },
    version: { type: Number, required: true, default: 1 },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'opportunities', versionKey: false, strict: 'throw' },
);
opportunitySchema.index({ organisationId: 1, id: 1 }, { unique: true });
opportunitySchema.index({ organisationId: 1, stage: 1, id: 1 });
opportunitySchema.index({ organisationId: 1, customerId: 1, id: 1 });
opportunitySchema.index({ organisationId: 1, ownerId: 1, id: 1 });
indexNames(opportunitySchema);
opportunitySchema.index({ organisationId: 1, amount: 1, id: 1 });
opportunitySchema.index({ organisationId: 1, expectedCloseDate: 1, id: 1 });
opportunitySchema.index({ organisationId: 1, createdAt: 1, id: 1 });
opportunitySchema.index({ organisationId: 1, tokens: 1, id: 1 });

export const Opportunity = model<OpportunityRecord>('Opportunity', opportunitySchema);
