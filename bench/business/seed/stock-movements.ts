import mongoose from 'mongoose';
import { DAY_MS } from '../../../domain/durations';
import { StockBalance, StockLedger, StockValue } from '../../../models/business/stock/stock';

const DAYS = 365;
const BATCH = 5000;
const decimal = (text: string): mongoose.mongo.Decimal128 => mongoose.mongo.Decimal128.fromString(text);
const toMoney = (cents: number): mongoose.mongo.Decimal128 => decimal((cents / 100).toFixed(2));

interface Movement {
  warehouseId: number;
  kind: 'receipt' | 'adjustment';
  quantity: number;
  cents: number;
}

/** Receives and issues goods of one product in two warehouses, valued at the moving average. */
class MovingStock {
  quantity = 0;
  cents = 0;
  readonly held: [number, number] = [0, 0];

  constructor(private readonly warehouseIds: readonly [number, number]) {}

  move(step: number): Movement {
    const place = this.held[0] >= 2 && (step % 2 === 0 || this.held[1] < 2) ? 0 : 1;
    const isReceipt = step % 4 === 0 || this.held[place] < 2;
    const target = isReceipt ? ((step >> 2) % 2 === 0 ? 0 : 1) : place;
    const quantity = isReceipt ? 8 : -2;
    const value = isReceipt ? 8 * (200 + (step % 50)) : -Math.round((this.cents * 2) / this.quantity);
    const cents = this.quantity + quantity === 0 ? -this.cents : value;
    this.quantity += quantity;
    this.cents += cents;
    this.held[target] += quantity;
    return { warehouseId: this.warehouseIds[target], kind: isReceipt ? 'receipt' : 'adjustment', quantity, cents };
  }
}

/** Writes the movements of a year: `perProduct` of each product, with the balances and values after them. */
export async function seedStockMovements(
  organisationId: string,
  productIds: readonly number[],
  perProduct: number,
  warehouseIds: readonly [number, number],
): Promise<void> {
  const start = Date.now() - DAYS * DAY_MS;
  let rows: object[] = [];
  const flush = async (): Promise<void> => {
    if (rows.length > 0) await StockLedger.collection.insertMany(rows, { ordered: false });
    rows = [];
  };
  for (const productId of productIds) {
    const stock = new MovingStock(warehouseIds);
    for (let sequence = 1; sequence <= perProduct; sequence += 1) {
      const { warehouseId, kind, quantity, cents } = stock.move(sequence - 1);
      rows.push({
        organisationId,
        productId,
        warehouseId,
        sequence,
        kind,
        quantity: decimal(String(quantity)),
        value: toMoney(cents),
        quantityAfter: decimal(String(stock.quantity)),
        valueAfter: toMoney(stock.cents),
        invoiceId: null,
        sourceId: sequence,
        lineId: 1,
        postedAt: new Date(start + Math.floor((sequence / (perProduct + 1)) * DAYS * DAY_MS) + productId),
      });
      if (rows.length >= BATCH) await flush();
    }
    const [quantity, value] = [decimal(String(stock.quantity)), toMoney(stock.cents)];
    await StockValue.collection.insertOne({ organisationId, productId, quantity, value, version: perProduct });
    await StockBalance.collection.insertMany(
      warehouseIds.map((warehouseId, index) => ({
        organisationId,
        productId,
        warehouseId,
        onHand: decimal(String(stock.held[index] ?? 0)),
      })),
    );
  }
  await flush();
}
