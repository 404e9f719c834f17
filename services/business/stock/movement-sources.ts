import type { ClientSession } from 'mongoose';
import { readOptions } from '../../../lib/mongo';
import { Invoice } from '../../../models/business/invoices/invoice';
import { Payable } from '../../../models/business/purchasing/purchase-order';
import { VendorReturn } from '../../../models/business/purchasing/vendor-return';
import type { StockLedgerRecord, StockMovementKind } from '../../../models/business/stock/stock';

export const MOVEMENT_SOURCE_TYPES = [
  'product',
  'invoice',
  'adjustment',
  'transfer',
  'receipt',
  'vendor_return',
] as const;
type MovementSourceType = (typeof MOVEMENT_SOURCE_TYPES)[number];

/** The document of a movement. */
export interface MovementSource {
  type: MovementSourceType;
  id: number;
  /** Number of the document; null if its kind has none. */
  number: string | null;
  /** Path of its route. */
  path: string;
}

/** The documents of the kinds of movements. */
export const MOVEMENT_SOURCES: Readonly<Record<StockMovementKind, MovementSourceType>> = {
  opening: 'product',
  invoice: 'invoice',
  void: 'invoice',
  restock: 'invoice',
  adjustment: 'adjustment',
  transfer: 'transfer',
  receipt: 'receipt',
  vendor_return: 'vendor_return',
};

const PATHS: Readonly<Record<MovementSourceType, string>> = {
  product: '/api/products',
  invoice: '/api/invoices',
  adjustment: '/api/inventory/adjustments',
  transfer: '/api/inventory/transfers',
  receipt: '/api/payables',
  vendor_return: '/api/vendor-returns',
};

type Movement = Pick<StockLedgerRecord, 'kind' | 'invoiceId' | 'sourceId'> & {
  /** Null for movements of several products of one document. */
  productId: number | null;
};

const getSourceId = ({ invoiceId, sourceId, productId }: Movement): number => invoiceId ?? sourceId ?? productId ?? 0;

interface Numbered {
  id: number;
  number: string;
}

/** Finds the documents of movements. */
export async function readMovementSources(
  organisationId: string,
  movements: readonly Movement[],
  mongoSession: ClientSession | null = null,
): Promise<(movement: Movement) => MovementSource> {
  const selectIds = (type: MovementSourceType) => ({
    $in: [...new Set(movements.filter(({ kind }) => MOVEMENT_SOURCES[kind] === type).map(getSourceId))],
  });
  const fields = { id: 1, number: 1 };
  // One after another, because a MongoDB session allows one operation at a time.
  const invoices = await Invoice.find({ organisationId, id: selectIds('invoice') }, fields)
    .setOptions(readOptions(mongoSession))
    .lean<Numbered[]>();
  const receipts = await Payable.find({ organisationId, id: selectIds('receipt') }, fields)
    .setOptions(readOptions(mongoSession))
    .lean<Numbered[]>();
  const returns = await VendorReturn.find({ organisationId, id: selectIds('vendor_return') }, fields)
    .setOptions(readOptions(mongoSession))
    .lean<Numbered[]>();
  const index = (records: readonly Numbered[]) => new Map(records.map(({ id, number }) => [id, number]));
  const numbers = new Map([
    ['invoice', index(invoices)],
    ['receipt', index(receipts)],
    ['vendor_return', index(returns)],
  ]);
  return (movement) => {
    const type = MOVEMENT_SOURCES[movement.kind];
    const id = getSourceId(movement);
    return { type, id, number: numbers.get(type)?.get(id) ?? null, path: `${PATHS[type]}/${id}` };
  };
}
