import { mongo } from 'mongoose';
import { addDays, toCalendarDate, getYear } from '../../../domain/business/calendar';
import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import type { IssuedStatus } from '../../../domain/business/invoices/invoice';
import { formatDocumentNumber } from '../../../domain/business/documents/numbering';
import { buildSearchTokens } from '../../../domain/business/search-tokens';
import { AccountEntry, OpenItem } from '../../../models/business/payments/open-item';
import type { AccountEntryRecord, OpenItemRecord } from '../../../models/business/payments/open-item';
import { Company } from '../../../models/business/settings/company';
import type { CompanyRecord } from '../../../models/business/settings/company';
import { Customer } from '../../../models/business/parties/customer';
import { fromDecimal128, toDecimal128 } from '../../../models/business/decimal128';
import { DocumentCount } from '../../../models/business/documents/document-count';
import { DocumentSeries } from '../../../models/business/settings/document-series';
import type { DocumentSeriesRecord } from '../../../models/business/settings/document-series';
import { Invoice } from '../../../models/business/invoices/invoice';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import { PartyBalance } from '../../../models/business/payments/party-balance';
import { Posting, seriesKey, yearKey } from '../../../models/business/documents/posting';
import { Product } from '../../../models/business/catalogue/product';
import { INVOICE_LIST } from '../../../services/business/invoices/invoice-lists';
import { computeChainHash } from '../../../services/business/documents/numbering';
import { computeContentHash } from '../../../services/business/invoices/invoice-snapshot';
import { reserveNumber } from '../../../services/platform/transactions/counters';
import { generateCustomers, generateCarts, generateProducts } from './customers-and-carts';
import type { Cart, SeededCustomer } from './customers-and-carts';
import { buildSettlement } from './settlements';

const BATCH = 2000;
const SEEDED = [Invoice, OpenItem, AccountEntry] as const;
/** The invoices are spread evenly over the three years up to the last issue date. */
const DAYS = 1095;
const CUSTOMERS = 1000;
/** Of twenty invoices, one is void, two are partially paid, seven paid and ten open. */
const STATUSES: readonly IssuedStatus[] = Array.from({ length: 20 }, (_, index) =>
  index === 0 ? 'void' : index < 3 ? 'partially_paid' : index < 10 ? 'paid' : 'issued',
);

export interface SeedOptions {
  onProgress?: (written: number) => void;
  /** Issue date of the last invoice, `YYYY-MM-DD`. @default today */
  through?: string;
  /**
   * Drops the indexes of invoices and their accounts before writing and rebuilds them afterwards. Several times faster
   * for a million invoices; only for a database without other users. @default false
   */
  rebuildIndexes?: boolean;
  /** Lines of each invoice. @default one to three */
  lines?: number | undefined;
}

type ProgressCallback = SeedOptions['onProgress'];

export interface SeededInvoices {
  invoices: number;
  customers: number;
  /** First issue date; `through` is the last. */
  from: string;
  through: string;
}

/** The previous invoice of the series, which the next one continues. */
interface Chain {
  year: number;
  sequence: number;
  hash: string;
}

interface Seed {
  organisationId: string;
  company: CompanyRecord;
  series: DocumentSeriesRecord;
  customers: readonly SeededCustomer[];
  carts: readonly Cart[];
  firstId: number;
}

const pickCyclic = <T>(values: readonly T[], index: number): T => {
  const value = values[index % values.length];
  if (value === undefined) throw new RangeError('An empty list has no values to choose from.');
  return value;
};

function generateInvoice(seed: Seed, index: number, issueDate: string, chain: Chain): InvoiceRecord {
  const { company, series } = seed;
  // The factors have no common divisor, so that consecutive invoices differ in customer, cart and status.
  const customer = pickCyclic(seed.customers, index * 7);
  const cart = pickCyclic(seed.carts, index * 11);
  const status = pickCyclic(STATUSES, index * 3);
  const number = formatDocumentNumber(series, chain.year, chain.sequence);
  const dueDate = addDays(issueDate, 30);
  const issuedAt = new Date(Date.parse(`${issueDate}T00:00:00Z`) + (index % 86_400) * 1000);
  const reference = index % 4 === 0 ? `PO-${100_000 + index}` : null;
  const document = {
    ...cart.document,
    language: company.language,
    number,
    issueDate,
    dueDate,
    issuedAt: issuedAt.toISOString(),
    reference,
    buyer: customer.snapshot,
  };
  const contentHash = computeContentHash(document);
  return {
    ...cart.stored,
    _id: new mongo.ObjectId(),
    organisationId: seed.organisationId,
    id: seed.firstId + index,
    status,
    seriesId: series.id,
    year: chain.year,
    sequence: chain.sequence,
    number,
    issueDate,
    dueDate,
    issuedAt,
    customerId: customer.snapshot.customerId,
    currencyCode: document.currencyCode,
    document,
    contentHash,
    chainHash: computeChainHash(chain.hash, number, contentHash),
    tokens: buildSearchTokens([
      number,
      customer.snapshot.name,
      customer.snapshot.code,
      customer.snapshot.taxId,
      reference,
    ]),
    voidedOn: status === 'void' ? issueDate : null,
    voidReason: status === 'void' ? 'Issued in error' : null,
    issueAttempt: null,
    version: status === 'issued' ? 1 : 2,
    createdBy: 'bench',
    createdAt: issuedAt,
    updatedAt: issuedAt,
  };
}

/** Totals that are written once, at the end. */
interface Sums {
  counts: Map<string, { status: string; day: string; count: number; baseTotal: Decimal }>;
  balances: Map<number, Decimal>;
  years: Map<number, Chain>;
}

function addToSums(sums: Sums, record: InvoiceRecord, openBase: Decimal): void {
  const { status, issueDate: day, customerId } = record;
  const key = `${day}/${status}`;
  const bucket = sums.counts.get(key) ?? { status, day, count: 0, baseTotal: ZERO };
  bucket.count += 1;
  bucket.baseTotal = bucket.baseTotal.plus(fromDecimal128(record.baseTotal));
  sums.counts.set(key, bucket);
  sums.balances.set(customerId, (sums.balances.get(customerId) ?? ZERO).plus(openBase));
}

async function writeSums(db: mongo.Db, seed: Seed, sums: Sums, count: number, through: string): Promise<void> {
  const { organisationId, series } = seed;
  const buckets = [...sums.counts.values()].map((bucket) => ({
    ...bucket,
    _id: new mongo.ObjectId(),
    organisationId,
    list: INVOICE_LIST,
    baseTotal: toDecimal128(bucket.baseTotal),
    folded: true,
  }));
  await db.collection(DocumentCount.collection.name).insertMany(buckets, { ordered: false });
  const balances = [...sums.balances].map(([partyId, openBase]) => ({
    _id: new mongo.ObjectId(),
    organisationId,
    side: 'receivable',
    partyId,
    openBase: toDecimal128(openBase),
    version: 1,
  }));
  await db.collection(PartyBalance.collection.name).insertMany(balances, { ordered: false });
  const years = Object.fromEntries(
    [...sums.years].map(([year, { sequence, hash }]) => [yearKey(year), { last: sequence, chainHash: hash }]),
  );
  await Posting.updateOne(
    { _id: organisationId },
    { $set: { [`series.${seriesKey(series.id)}`]: { lastIssueDate: through, years } }, $inc: { version: count } },
  );
}

async function prepareSeed(organisationId: string, count: number, lines: number | undefined): Promise<Seed> {
  const company = await Company.findById(organisationId).lean<CompanyRecord>();
  if (company === null) throw new Error('The organisation has no company: call ensureBusinessDefaults first.');
  if ((await Invoice.exists({ organisationId })) !== null)
    throw new Error('The organisation already has invoices; seed a new organisation.');
  const { defaultSeriesId: id } = company;
  const series = await DocumentSeries.findOne({ organisationId, id }).lean<DocumentSeriesRecord>();
  if (series === null) throw new Error('The company has no invoice series.');
  const now = new Date();
  const products = await generateProducts(company, now);
  const customers = await generateCustomers(company, Math.min(CUSTOMERS, count), now);
  await Product.collection.insertMany(products);
  await Customer.collection.insertMany(customers.map(({ record }) => record));
  const carts = await generateCarts(company, products, { customerId: customers[0]?.record.id ?? 0, lines }, now);
  return {
    organisationId,
    company,
    series,
    customers,
    carts,
    firstId: await reserveNumber(organisationId, 'invoices', count),
  };
}

interface Batch {
  invoices: InvoiceRecord[];
  items: OpenItemRecord[];
  entries: AccountEntryRecord[];
}

/** Generates the next invoices of the series with their account entries, and adds them to `sums`. */
function generateBatch(
  seed: Seed,
  sums: Sums,
  from: number,
  until: number,
  getIssueDate: (index: number) => string,
): Batch {
  const batch: Batch = { invoices: [], items: [], entries: [] };
  for (let index = from; index < until; index += 1) {
    const issueDate = getIssueDate(index);
    const year = getYear(issueDate);
    const last = sums.years.get(year) ?? { year, sequence: 0, hash: '' };
    const record = generateInvoice(seed, index, issueDate, { ...last, sequence: last.sequence + 1 });
    sums.years.set(year, { year, sequence: record.sequence, hash: record.chainHash });
    const { item, entries } = buildSettlement(record);
    addToSums(sums, record, fromDecimal128(item.openBase));
    batch.invoices.push(record);
    batch.items.push(item);
    batch.entries.push(...entries);
  }
  return batch;
}

/** Writes all rows; each batch is written while the next one is generated. */
async function writeRows(
  db: mongo.Db,
  seed: Seed,
  sums: Sums,
  count: number,
  days: readonly string[],
  onProgress: ProgressCallback,
) {
  const getIssueDate = (index: number): string => days[Math.floor((index * days.length) / count)] ?? '';
  const insert = (collection: string, rows: mongo.Document[]) =>
    db.collection(collection).insertMany(rows, { ordered: false, writeConcern: { w: 1 } });
  let writing: Promise<unknown> = Promise.resolve();
  for (let start = 0; start < count; start += BATCH) {
    const end = Math.min(start + BATCH, count);
    const { invoices, items, entries } = generateBatch(seed, sums, start, end, getIssueDate);
    await writing;
    writing = Promise.all([
      insert(Invoice.collection.name, invoices),
      insert(OpenItem.collection.name, items),
      insert(AccountEntry.collection.name, entries),
    ]).then(() => onProgress?.(end));
    // The error of a failed batch is thrown where the batch is awaited.
    writing.catch(() => undefined);
  }
  await writing;
}

/**
 * Writes `count` invoices into an organisation without invoices, as if they had been issued, settled and voided by
 * requests: snapshots with their hash chain, search tokens, open items with dated entries, balances, count rows and the
 * counter of the series. Payments, audit rows and events are omitted. Requires a mongoose connection to `db`; writes in
 * unordered batches.
 */
export async function seedInvoices(
  db: mongo.Db,
  organisationId: string,
  count: number,
  { onProgress, through = toCalendarDate(new Date(), 'utc'), rebuildIndexes = false, lines }: SeedOptions = {},
): Promise<SeededInvoices> {
  const seed = await prepareSeed(organisationId, count, lines);
  const from = addDays(through, 1 - DAYS);
  const days = Array.from({ length: DAYS }, (_, index) => addDays(from, index));
  const sums: Sums = { counts: new Map(), balances: new Map(), years: new Map() };
  if (rebuildIndexes) for (const { collection } of SEEDED) await collection.dropIndexes();
  try {
    await writeRows(db, seed, sums, count, days, onProgress);
  } finally {
    if (rebuildIndexes) for (const model of SEEDED) await model.createIndexes();
  }
  await writeSums(db, seed, sums, count, through);
  return { invoices: count, customers: seed.customers.length, from, through };
}
