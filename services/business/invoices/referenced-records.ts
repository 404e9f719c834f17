import { SharedLookups } from '../../../lib/shared-lookups';
import { SharedReads } from '../../../lib/shared-reads';
import { Product } from '../../../models/business/catalogue/product';
import type { ProductRecord } from '../../../models/business/catalogue/product';
import { Customer } from '../../../models/business/parties/customer';
import type { CustomerRecord } from '../../../models/business/parties/customer';
import { DocumentSeries } from '../../../models/business/settings/document-series';
import type { DocumentSeriesRecord } from '../../../models/business/settings/document-series';
import { TaxRate } from '../../../models/business/settings/tax-rate';
import type { TaxRateRecord } from '../../../models/business/settings/tax-rate';
import { Warehouse } from '../../../models/business/stock/warehouse';
import type { WarehouseRecord } from '../../../models/business/stock/warehouse';
import type { Platform } from '../../platform/platform';
import type { BusinessCaller } from '../access/caller';
import type { InvoiceLineInput, LineRecords } from './invoice-lines';

/** The records that a request references. */
export interface ReferencedRecords extends LineRecords {
  customer: CustomerRecord | null;
  series: DocumentSeriesRecord | null;
}

/** What of a request references records. */
interface References {
  customerId: number;
  /** @default the company's invoice series */
  seriesId?: number | undefined;
  lines: readonly Pick<InvoiceLineInput, 'productId'>[];
}

const indexById = <T extends { id: number }>(records: readonly T[]): Map<number, T> =>
  new Map(records.map((record) => [record.id, record]));

/** The settings of an organisation that invoices reference. */
interface InvoiceSettings {
  series: readonly DocumentSeriesRecord[];
  taxRates: readonly TaxRateRecord[];
  warehouses: readonly WarehouseRecord[];
}

/** A record of one of the collections that are read together. */
type SettingRow = { series: DocumentSeriesRecord } | { taxRate: TaxRateRecord } | { warehouse: WarehouseRecord };

/** Reads the settings with one command: three would cost an invoice about a tenth of its processor time. */
async function readInvoiceSettings(organisationId: string): Promise<InvoiceSettings> {
  const rows = await DocumentSeries.aggregate<SettingRow>([
    { $match: { organisationId, documentType: 'invoice' } },
    { $project: { _id: 0, series: '$$ROOT' } },
    {
      $unionWith: {
        coll: TaxRate.collection.name,
        pipeline: [{ $match: { organisationId } }, { $project: { _id: 0, taxRate: '$$ROOT' } }],
      },
    },
    {
      $unionWith: {
        coll: Warehouse.collection.name,
        pipeline: [{ $match: { organisationId } }, { $project: { _id: 0, warehouse: '$$ROOT' } }],
      },
    },
  ]);
  return {
    series: rows.flatMap((row) => ('series' in row ? row.series : [])),
    taxRates: rows.flatMap((row) => ('taxRate' in row ? row.taxRate : [])),
    warehouses: rows.flatMap((row) => ('warehouse' in row ? row.warehouse : [])),
  };
}

class InvoiceSettingsReads extends SharedReads<InvoiceSettings> {
  constructor() {
    super(readInvoiceSettings);
  }
}

class CustomerLookups extends SharedLookups<CustomerRecord> {
  constructor() {
    super((organisationId, ids) => Customer.find({ organisationId, id: { $in: ids } }).lean<CustomerRecord[]>());
  }
}

class ProductLookups extends SharedLookups<ProductRecord> {
  constructor() {
    super((organisationId, ids) => Product.find({ organisationId, id: { $in: ids } }).lean<ProductRecord[]>());
  }
}

/**
 * Reads the customer, the products and the settings that an invoice references.
 * @param sample the customer of a sample document, who is not stored
 */
export async function readReferencedRecords(
  platform: Pick<Platform, 'singletons'>,
  caller: BusinessCaller,
  input: References,
  sample: CustomerRecord | undefined,
): Promise<ReferencedRecords> {
  const { organisationId, company } = caller;
  const seriesId = input.seriesId ?? company.defaultSeriesId;
  const productIds = input.lines.flatMap((line) => line.productId ?? []);
  const [customers, settings, products] = await Promise.all([
    platform.singletons.get(CustomerLookups).read(organisationId, sample === undefined ? [input.customerId] : []),
    platform.singletons.get(InvoiceSettingsReads).read(organisationId),
    platform.singletons.get(ProductLookups).read(organisationId, productIds),
  ]);
  return {
    customer: sample ?? customers.get(input.customerId) ?? null,
    series: settings.series.find(({ id }) => id === seriesId) ?? null,
    products,
    taxRates: indexById(settings.taxRates),
    warehouses: indexById(settings.warehouses),
  };
}
