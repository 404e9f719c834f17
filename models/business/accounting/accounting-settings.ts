import { model, Schema } from 'mongoose';
import { CHART_PRESETS } from '../../../domain/business/accounting/accounts';
import type { Chart, ChartPreset } from '../../../domain/business/accounting/accounts';

/** The chart of accounts that the journal uses from a day on. */
export interface ChartVersion extends Chart {
  /** First day, `YYYY-MM-DD`; null: from the beginning. */
  validFrom: string | null;
  preset: ChartPreset;
}

/** How a company keeps its books; one record per organisation. Without one, the generic chart applies. */
export interface AccountingSettingsRecord {
  /** Id of the organisation. */
  _id: string;
  /** Month in which the fiscal year starts, 1 to 12. */
  fiscalYearStartMonth: number;
  /** Number of digits of general ledger accounts in DATEV, 4 to 8; accounts of customers and vendors have one more. */
  datevAccountLength: number;
  /** Numbers that DATEV has assigned to the tax consultant and to the company; null until they are set. */
  datevConsultantNumber: number | null;
  datevClientNumber: number | null;
  /** By `validFrom`, earliest first; never empty. */
  charts: ChartVersion[];
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const chartSchema = new Schema<ChartVersion>(
  {
    validFrom: { type: String, default: null },
    preset: { type: String, enum: CHART_PRESETS, required: true },
    accounts: { type: Schema.Types.Mixed, required: true },
    taxes: { type: Schema.Types.Mixed, required: true },
  },
  { _id: false, strict: 'throw' },
);

const accountingSettingsSchema = new Schema<AccountingSettingsRecord>(
  {
    _id: { type: String, required: true },
    fiscalYearStartMonth: { type: Number, required: true },
    datevAccountLength: { type: Number, required: true },
    datevConsultantNumber: { type: Number, default: null },
    datevClientNumber: { type: Number, default: null },
    charts: { type: [chartSchema], required: true },
    version: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'accounting_settings', versionKey: false, strict: 'throw' },
);

export const AccountingSettings = model<AccountingSettingsRecord>('AccountingSettings', accountingSettingsSchema);
