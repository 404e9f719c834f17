import { model, Schema } from 'mongoose';
import { KYB_PROVIDERS, KYB_STATUSES } from '../../../domain/identity/kyb/company';
import type { CompanyDetail, CompanyQuery, KybProviderName, KybStatus } from '../../../domain/identity/kyb/company';
import type { CompanyMatch, SourceResponse } from '../../../domain/identity/kyb/conclusion';
import type { KybScreening } from '../../../domain/identity/kyb/screening';
import type { Risk } from '../../../domain/identity/checks/risks';

export interface KybCheckRecord {
  /** `kyb_…` */
  _id: string;
  organisationId: string;
  mode: 'live' | 'test';
  status: KybStatus;
  query: CompanyQuery;
  /** the country asked for, beside the query so that lists can be filtered by it */
  country: string | null;
  /** one for each register that is asked, in the order of their authority */
  sources: SourceResponse[];
  /** whose company it is */
  provider: KybProviderName | null;
  detail: CompanyDetail | null;
  matches: CompanyMatch[];
  /** what the watch lists say of the company and its people; none where nobody was asked about, as before there were any */
  screening?: KybScreening | null;
  risks: Risk[];
  failure: string | null;
  createdBy: string;
  createdAt: Date;
  completedAt: Date | null;
  deletedAt: Date | null;
}

/** A business check. Officers and owners in it are people: it is erased like a session. */
const kybCheckSchema = new Schema<KybCheckRecord>(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    status: { type: String, enum: KYB_STATUSES, required: true },
    query: { type: Schema.Types.Mixed, required: true },
    country: { type: String, default: null },
    sources: { type: Schema.Types.Mixed, default: () => [] },
    provider: { type: String, enum: [...KYB_PROVIDERS, null], default: null },
    detail: { type: Schema.Types.Mixed, default: null },
    matches: { type: Schema.Types.Mixed, default: () => [] },
    screening: { type: Schema.Types.Mixed, default: null },
    risks: { type: Schema.Types.Mixed, default: () => [] },
    failure: { type: String, default: null },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
    completedAt: { type: Date, default: null },
    deletedAt: { type: Date, default: null },
  },
  { collection: 'kyb_checks', versionKey: false, strict: 'throw', minimize: false },
);
const listIndexPrefix = { organisationId: 1, mode: 1, deletedAt: 1 } as const;
kybCheckSchema.index({ ...listIndexPrefix, _id: -1 });
kybCheckSchema.index({ ...listIndexPrefix, status: 1, _id: -1 });
kybCheckSchema.index({ ...listIndexPrefix, country: 1, _id: -1 });
kybCheckSchema.index({ ...listIndexPrefix, createdAt: -1 });
// Those whose time is over are looked for in every tenant at once.
kybCheckSchema.index({ createdAt: 1 }, { partialFilterExpression: { deletedAt: null } });

export const KybCheck = model<KybCheckRecord>('KybCheck', kybCheckSchema);
