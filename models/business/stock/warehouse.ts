import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';
import { indexNames } from '../../name-order';

export interface WarehouseRecord {
  _id: Types.ObjectId;
  organisationId: string;
  id: number;
  code: string;
  name: string;
  active: boolean;
  /** Counter of arrivals of goods, so that an arrival and a concurrent deactivation of the warehouse conflict. */
  arrivalsGuard: number;
  tokens: string[];
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const warehouseSchema = new Schema<WarehouseRecord>(
  {
    organisationId: { type: String, required: true },
    id: { type: Number, required: true },
    code: { type: String, required: true },
    name: { type: String, required: true },
    active: { type: Boolean, required: true, default: true },
    arrivalsGuard: { type: Number, required: true, default: 0 },
    tokens: { type: [String], required: true },
    version: { type: Number, required: true, default: 1 },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'warehouses', versionKey: false, strict: 'throw' },
);
warehouseSchema.index({ organisationId: 1, id: 1 }, { unique: true });
warehouseSchema.index({ organisationId: 1, code: 1 }, { unique: true });
// Sorts by code with the id as tie-breaker, which the unique index alone cannot do.
warehouseSchema.index({ organisationId: 1, code: 1, id: 1 });
indexNames(warehouseSchema);
warehouseSchema.index({ organisationId: 1, createdAt: 1, id: 1 });
warehouseSchema.index({ organisationId: 1, tokens: 1, id: 1 });

export const Warehouse = model<WarehouseRecord>('Warehouse', warehouseSchema);
