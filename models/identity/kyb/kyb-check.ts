import { model, Schema } from 'mongoose';
import { KYB_PROVIDERS, KYB_STATUSES } from '../../../domain/identity/kyb/company';
import type { CompanyDetail, CompanyQuery, KybProviderName, KybStatus } from '../../../domain/identity/kyb/company';
import type { CompanyMatch, SourceResponse } from '../../../domain/identity/kyb/conclusion';
import type { KybScreening } from '../../../domain/identity/kyb/screening';
import type { Risk } from '../../../domain/identity/checks/risks';
import { sealFields } from '../../sealed-fields';

export interface KybCheckRecord {
  /** `kyb_…` */
  _id: string;
  organisationId: string;
  mode: 'live' | 'test';
  status: KybStatus;
  query: CompanyQuery;
  /** Requested country, stored outside the sealed query so that lists can be filtered by it. */
  country: string | null;
  /** One for each queried register, in the order of their authority. */
  sources: SourceResponse[];
  /** Register of the company. */
  provider: KybProviderName | null;
  detail: CompanyDetail | null;
  matches: CompanyMatch[];
  /** Watch-list result for the company and its people; absent if no party was screened, as in early checks. */
  screening?: KybScreening | null;
  /** Whether parties are monitored, or will be once the check has completed; the check is retained until that ends. */
  monitored?: boolean;
  risks: Risk[];
  failure: string | null;
  createdBy: string;
  createdAt: Date;
  completedAt: Date | null;
  deletedAt: Date | null;
}

/** A business check. Its officers and owners are people: it is erased like a session. */
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
    monitored: { type: Boolean, default: false },
    risks: { type: Schema.Types.Mixed, default: () => [] },
    failure: { type: String, default: null },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
    completedAt: { type: Date, default: null },
    deletedAt: { type: Date, default: null },
  },
  { collection: 'kyb_checks', versionKey: false, strict: 'throw', minimize: false },
);
sealFields(kybCheckSchema, {
  collection: 'kyb_checks',
  fields: ['query', 'sources', 'detail', 'matches', 'screening', 'risks'],
  owner: '_id',
});
const listIndexPrefix = { organisationId: 1, mode: 1, deletedAt: 1 } as const;
kybCheckSchema.index({ ...listIndexPrefix, _id: -1 });
kybCheckSchema.index({ ...listIndexPrefix, status: 1, _id: -1 });
kybCheckSchema.index({ ...listIndexPrefix, country: 1, _id: -1 });
kybCheckSchema.index({ ...listIndexPrefix, createdAt: -1 });
// For the retention sweep over all organisations.
kybCheckSchema.index({ createdAt: 1 }, { partialFilterExpression: { deletedAt: null } });

export const KybCheck = model<KybCheckRecord>('KybCheck', kybCheckSchema);
