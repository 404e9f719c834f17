import { Types } from 'mongoose';
import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { buildSearchTokens } from '../../../domain/business/search-tokens';
import type { ProductRecord } from '../../../models/business/catalogue/product';
import { StockDocument } from '../../../models/business/stock/stock-document';
import type { StockDocumentRecord } from '../../../models/business/stock/stock-document';
import { reserveNumberInTransaction } from '../../platform/transactions/counters';
import type { Platform } from '../../platform/platform';
import { dryRunTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller, BusinessRequest } from '../access/caller';
import { postIdempotently } from '../documents/idempotent-postings';
import { getStockDocument, readReferencedGoods } from './stock-documents';
import type { Posting } from './stock-movements';

interface StockDocumentInput {
  lines: readonly { productId: number }[];
}

/** The fields of the document that describe the posted movements. */
type PostedMovements = Pick<StockDocumentRecord, 'warehouseId' | 'toWarehouseId' | 'reason' | 'lines'>;

/** The differences between adjustments and transfers. */
export interface StockDocumentKind<I extends StockDocumentInput> {
  type: StockDocumentRecord['type'];
  counter: string;
  /** The warehouses that the input names, by field. @throws AppError 400 */
  readWarehouses(input: I): Readonly<Record<string, number>>;
  postMovements(
    unit: UnitOfWork,
    caller: BusinessCaller,
    input: I,
    context: { posting: Posting; products: ReadonlyMap<number, ProductRecord> },
  ): Promise<PostedMovements>;
  buildAuditEntry(input: I): { action: string; reason?: string };
}

async function writeStockDocument<I extends StockDocumentInput>(
  unit: UnitOfWork,
  caller: BusinessCaller,
  kind: StockDocumentKind<I>,
  input: I,
  document: { id: number; products: ReadonlyMap<number, ProductRecord> },
): Promise<StockDocumentRecord> {
  const { organisationId, company } = caller;
  const { type } = kind;
  const { id, products } = document;
  const baseDecimals = getCurrencyDecimals(company.baseCurrencyCode);
  const at = unit.platform.clock.now();
  const posting = { organisationId, kind: type, invoiceId: null, sourceId: id, baseDecimals, at };
  const posted = await kind.postMovements(unit, caller, input, { posting, products });
  const record: StockDocumentRecord = {
    _id: new Types.ObjectId(),
    organisationId,
    type,
    id,
    ...posted,
    tokens: buildSearchTokens([posted.reason, ...posted.lines.map(({ productCode }) => productCode)]),
    createdBy: caller.id,
    createdAt: at,
  };
  await StockDocument.create([record], { session: unit.mongoSession });
  await unit.audit(caller, { actor: caller.id, subject: `${type}:${id}`, ...kind.buildAuditEntry(input) });
  return record;
}

/** Posts an adjustment or transfer: all of its lines or none. */
export async function createStockDocument<I extends StockDocumentInput>(
  request: BusinessRequest,
  kind: StockDocumentKind<I>,
  input: I,
): Promise<StockDocumentRecord> {
  const { caller } = request;
  return postIdempotently(
    request,
    async (post) => {
      const products = await readReferencedGoods(caller, kind.readWarehouses(input), input.lines);
      return post(async (unit) => {
        const id = await reserveNumberInTransaction(unit.mongoSession, caller.organisationId, kind.counter);
        const result = await writeStockDocument(unit, caller, kind, input, { id, products });
        return { id, status: 201, result };
      });
    },
    (id) => getStockDocument(caller, kind.type, id),
  );
}

/** The record that `createStockDocument` would write, with the same errors; writes nothing. */
export async function dryRunStockDocument<I extends StockDocumentInput>(
  platform: Platform,
  caller: BusinessCaller,
  kind: StockDocumentKind<I>,
  input: I,
): Promise<StockDocumentRecord> {
  const products = await readReferencedGoods(caller, kind.readWarehouses(input), input.lines);
  return dryRunTransaction(platform, (unit) => writeStockDocument(unit, caller, kind, input, { id: 0, products }));
}
