import { model, Schema } from 'mongoose';
import { DAY_SECONDS } from '../../../domain/durations';
import type { InvoiceSnapshot } from '../../../domain/business/invoices/invoice';

/** The content of an invoice that was printed before it is issued. It is deleted two days after its last request. */
export interface InvoicePreviewRecord {
  organisationId: string;
  /** Unique in the organisation; identifies its rendition. */
  id: number;
  /** SHA-256 of the canonical JSON of `document`, hex: equal previews are one record. */
  contentHash: string;
  document: InvoiceSnapshot;
  /** Time of the last request. */
  createdAt: Date;
}

const invoicePreviewSchema = new Schema<InvoicePreviewRecord>(
  {
    organisationId: { type: String, required: true },
    id: { type: Number, required: true },
    contentHash: { type: String, required: true },
    document: { type: Schema.Types.Mixed, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'invoice_previews', versionKey: false, strict: 'throw', minimize: false },
);
invoicePreviewSchema.index({ organisationId: 1, contentHash: 1 }, { unique: true });
invoicePreviewSchema.index({ createdAt: 1 }, { expireAfterSeconds: 2 * DAY_SECONDS });

export const InvoicePreview = model<InvoicePreviewRecord>('InvoicePreview', invoicePreviewSchema);
