/** A line of a purchase order, bill or credit note of a vendor as it is edited. */
export interface CostLine {
  key: string;
  /** Null for a line in free text, which only bills have. */
  productId: string | null;
  description: string;
  quantity: number | string;
  unitCost: number | string;
  /** Null for the default of the product. */
  taxRateId: string | null;
  /** Only of orders; null for the default of the company. */
  warehouseId: string | null;
}

/** A new line of one unit, whose cost the user enters. */
export const createCostLine = (): CostLine => ({
  key: crypto.randomUUID(),
  productId: null,
  description: '',
  quantity: 1,
  unitCost: '',
  taxRateId: null,
  warehouseId: null,
});

/** The line after the choice of another product: text, cost and tax of the one before are not its own. */
export const changeCostProduct = (line: CostLine, productId: string | null): CostLine =>
  line.productId === null
    ? { ...line, productId }
    : { ...line, productId, description: '', unitCost: '', taxRateId: null };

interface StoredLine {
  lineId: number;
  productId: number | null;
  description: string;
  quantity: number;
  unitCost: number;
  taxRateId: number;
  warehouseId?: number | null;
}

const readId = (id: number | null | undefined): string | null => (id == null ? null : String(id));

/** The values of stored lines of a document; lines of several documents can be one list. */
export const readCostLines = (documentId: number, lines: readonly StoredLine[]): CostLine[] =>
  lines.map((line) => ({
    key: `${documentId} ${line.lineId}`,
    productId: readId(line.productId),
    description: line.description,
    quantity: line.quantity,
    unitCost: line.unitCost,
    taxRateId: String(line.taxRateId),
    warehouseId: readId(line.warehouseId),
  }));

/** A line as the API expects it; the warehouse, which only orders have, is left out. */
export const toCostLine = ({ productId, description, quantity, unitCost, taxRateId }: CostLine) => ({
  ...(productId === null ? {} : { productId: Number(productId) }),
  ...(description === '' ? {} : { description }),
  quantity: Number(quantity),
  unitCost: Number(unitCost),
  ...(taxRateId === null ? {} : { taxRateId: Number(taxRateId) }),
});
