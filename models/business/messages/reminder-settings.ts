import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';
import type { DocumentLanguage } from '../../../domain/business/invoices/invoice';

/** One level of the schedule; see `ReminderLevel`. */
export interface StoredReminderLevel {
  daysAfterDue: number;
  fee: Types.Decimal128 | null;
  interestText: Partial<Record<DocumentLanguage, string>>;
}

/** When a company reminds its customers of open invoices. */
export interface ReminderSettingsRecord {
  /** Id of the organisation. */
  _id: string;
  /** Whether due reminders are sent every day; else only on request. */
  automatic: boolean;
  /** Hour of the day in the time zone of the company, 0 to 23. */
  hour: number;
  /** Less than this in base currency is not worth a reminder. */
  minimumOpenAmount: Types.Decimal128;
  levels: StoredReminderLevel[];
  /** When due reminders were requested that have not been sent yet; null: no request is pending. */
  requestedAt: Date | null;
  version: number;
  updatedAt: Date;
}

const levelSchema = new Schema<StoredReminderLevel>(
  {
    daysAfterDue: { type: Number, required: true },
    fee: { type: Schema.Types.Decimal128, default: null },
    interestText: { type: Schema.Types.Mixed, required: true },
  },
  { _id: false, strict: 'throw', minimize: false },
);

const reminderSettingsSchema = new Schema<ReminderSettingsRecord>(
  {
    _id: { type: String, required: true },
    automatic: { type: Boolean, required: true },
    hour: { type: Number, required: true },
    minimumOpenAmount: { type: Schema.Types.Decimal128, required: true },
    levels: { type: [levelSchema], required: true },
    requestedAt: { type: Date, default: null },
    version: { type: Number, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'reminder_settings', versionKey: false, strict: 'throw', minimize: false },
);

export const ReminderSettings = model<ReminderSettingsRecord>('ReminderSettings', reminderSettingsSchema);

/** What reminders are paused for. */
export const PAUSED_KINDS = ['invoice', 'customer'] as const;
export type PausedKind = (typeof PAUSED_KINDS)[number];

/** A pause of the reminders of one invoice, or of all invoices of a customer. */
export interface ReminderPauseRecord {
  organisationId: string;
  kind: PausedKind;
  /** Id of the invoice or customer. */
  subjectId: number;
  /** Last day, `YYYY-MM-DD`; null: until it is removed. */
  until: string | null;
  reason: string | null;
  createdBy: string;
  createdAt: Date;
}

const reminderPauseSchema = new Schema<ReminderPauseRecord>(
  {
    organisationId: { type: String, required: true },
    kind: { type: String, enum: PAUSED_KINDS, required: true },
    subjectId: { type: Number, required: true },
    until: { type: String, default: null },
    reason: { type: String, default: null },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'reminder_pauses', versionKey: false, strict: 'throw' },
);
reminderPauseSchema.index({ organisationId: 1, kind: 1, subjectId: 1 }, { unique: true });

export const ReminderPause = model<ReminderPauseRecord>('ReminderPause', reminderPauseSchema);
