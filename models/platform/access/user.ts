import { model, Schema } from 'mongoose';
import type { InferSchemaType } from 'mongoose';
import { indexNames } from '../../name-order';

/** A user account of both APIs. The normalised email address is unique in the organisation. */
const userSchema = new Schema(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    /** Number of the user in the business API, unique within the organisation. */
    id: { type: Number, required: true },
    email: { type: String, required: true },
    name: { type: String, required: true },
    /** Role in the business API; null without access to it. */
    role: { type: String, default: null },
    /** Role in the identity API; null without access to it. */
    identityRole: { type: String, default: null },
    passwordHash: { type: String, required: true },
    /** The password is a temporary one until it is changed, and cannot be used after this instant; null for any other. */
    temporaryPasswordUntil: { type: Date, default: null },
    /** Devices of sign-ins before this instant are not known any more. */
    devicesTrustedFrom: { type: Date, default: null },
    /** When the user enrolled a second factor; null without one. */
    secondFactorAt: { type: Date, default: null },
    /** Copy of the organisation's `secondFactorRequired`. */
    secondFactorRequired: { type: Boolean, default: false },
    active: { type: Boolean, required: true, default: true },
    /** Number of API keys created by the user. Written with each, so that creation and deactivation exclude each other. */
    createdKeys: { type: Number, default: 0 },
    /** Number of sign-ins. Written with each session, so that it and a change that ends all sessions exclude each other. */
    signIns: { type: Number, default: 0 },
    /** Number of changes, used as the ETag. */
    version: { type: Number, required: true, default: 1 },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'users', versionKey: false, strict: 'throw' },
);
userSchema.index({ email: 1, organisationId: 1 }, { unique: true });
userSchema.index({ organisationId: 1, id: 1 }, { unique: true });
indexNames(userSchema);
userSchema.index({ organisationId: 1, email: 1, id: 1 });
userSchema.index({ organisationId: 1, createdAt: 1, id: 1 });

export type UserRecord = InferSchemaType<typeof userSchema>;
export const User = model<UserRecord>('User', userSchema);
