import { model, Schema } from 'mongoose';
import type { InferSchemaType } from 'mongoose';

/** The logo that an organisation shows to the people it verifies, in both modes. */
const brandLogoSchema = new Schema(
  {
    /** The id of the organisation. */
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    contentType: { type: String, enum: ['image/png', 'image/jpeg'], required: true },
    /** Small enough to be read with one document. */
    body: { type: Buffer, required: true },
    sha256: { type: String, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'brand_logos', versionKey: false, strict: 'throw' },
);
brandLogoSchema.index({ organisationId: 1 });

export type BrandLogoRecord = InferSchemaType<typeof brandLogoSchema>;
export const BrandLogo = model('BrandLogo', brandLogoSchema);
