import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';
import { TAX_CATEGORIES } from '../../../domain/business/settings/tax-rates';
import type { TaxComponent } from '../../../domain/business/invoices/tax-components';
import { TAX_PROFILES, TAX_RATE_SCOPES } from '../../../domain/business/settings/tax-profiles';
import type { TaxProfile, TaxRateScope, TaxTranslations } from '../../../domain/business/settings/tax-profiles';
import type { DatedTaxRate, TaxCategory } from '../../../domain/business/settings/tax-rates';
import { indexNames } from '../../name-order';

/** A tax rate with the days on which it applies. Issued documents contain a copy. */
export interface TaxRateRecord extends DatedTaxRate {
  _id: Types.ObjectId;
  organisationId: string;
  name: string;
  /** 0 to 100. */
  percent: Types.Decimal128;
  category: TaxCategory;
  exemptionReason: string | null;
  /** The profile whose supplies the rate taxes; absent or null: selected by id only. */
  profile?: TaxProfile | null;
  appliesTo?: TaxRateScope | null;
  /** The taxes that the rate consists of, if there are several; their percentages add up to `percent`. */
  components?: TaxComponent[] | null;
  /** Texts of documents in other languages than that of name and reason. */
  translations?: TaxTranslations | null;
  active: boolean;
  tokens: string[];
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const taxRateSchema = new Schema<TaxRateRecord>(
  {
    organisationId: { type: String, required: true },
    id: { type: Number, required: true },
    name: { type: String, required: true },
    percent: { type: Schema.Types.Decimal128, required: true },
    category: { type: String, enum: TAX_CATEGORIES, required: true },
    exemptionReason: { type: String, default: null },
    profile: { type: String, enum: [...TAX_PROFILES, null], default: null },
    appliesTo: { type: String, enum: [...TAX_RATE_SCOPES, null], default: null },
    components: { type: Schema.Types.Mixed, default: null },
    translations: { type: Schema.Types.Mixed, default: null },
    validFrom: { type: String, default: null },
    validTo: { type: String, default: null },
    successorId: { type: Number, default: null },
    active: { type: Boolean, required: true, default: true },
    tokens: { type: [String], required: true },
    version: { type: Number, required: true, default: 1 },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'tax_rates', versionKey: false, strict: 'throw' },
);
taxRateSchema.index({ organisationId: 1, id: 1 }, { unique: true });
indexNames(taxRateSchema);
taxRateSchema.index({ organisationId: 1, createdAt: 1, id: 1 });
taxRateSchema.index({ organisationId: 1, tokens: 1, id: 1 });

export const TaxRate = model<TaxRateRecord>('TaxRate', taxRateSchema);
