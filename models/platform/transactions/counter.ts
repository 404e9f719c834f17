import { model, Schema } from 'mongoose';

/** Per-organisation counters for business ids; `_id` is `<organisationId>.<name>`. Gaps are allowed. */
const counterSchema = new Schema(
  { _id: { type: String, required: true }, value: { type: Number, required: true, default: 0 } },
  { collection: 'counters', versionKey: false, strict: 'throw' },
);

export const Counter = model('Counter', counterSchema);
