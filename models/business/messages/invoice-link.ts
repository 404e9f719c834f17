import { model, Schema } from 'mongoose';

/** A link that opens the page of one invoice without a sign-in. Its token is computed from the id, so it is not stored. */
export interface InvoiceLinkRecord {
  /** `lnk_…` */
  _id: string;
  organisationId: string;
  invoiceId: number;
  expiresAt: Date;
  revokedAt: Date | null;
  /** First and latest time that the page was opened. */
  firstOpenedAt: Date | null;
  lastOpenedAt: Date | null;
  createdBy: string;
  createdAt: Date;
}

const nullableDate = { type: Date, default: null } as const;

const invoiceLinkSchema = new Schema<InvoiceLinkRecord>(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    invoiceId: { type: Number, required: true },
    expiresAt: { type: Date, required: true },
    revokedAt: nullableDate,
    firstOpenedAt: nullableDate,
    lastOpenedAt: nullableDate,
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'invoice_links', versionKey: false, strict: 'throw' },
);
invoiceLinkSchema.index({ organisationId: 1, invoiceId: 1, _id: -1 });

export const InvoiceLink = model<InvoiceLinkRecord>('InvoiceLink', invoiceLinkSchema);
