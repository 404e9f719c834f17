import { addWordEnds, buildSearchTokens } from '../../../domain/business/search-tokens';
import { convertCollections, getRawCollection } from '../../platform/migrations/batches';
import type { Conversion, StoredRow } from '../../platform/migrations/batches';
import type { Migration } from '../../platform/migrations/migration';

/** Matches the tokens of words with several parts. */
const HAS_PARTS = { $regex: String.raw`[^\p{L}\p{N}]` };

const readTokens = ({ tokens }: StoredRow): string[] => (Array.isArray(tokens) ? tokens.map(String) : []);

const readText = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Documents do not keep every text that they are found by, such as a reference; their tokens contain the words of all. */
const addEnds = (row: StoredRow): string[] => addWordEnds(readTokens(row));

function buildPartyTokens(row: StoredRow): string[] {
  const phone = readText(row['phone']);
  const texts = ['code', 'name', 'taxId', 'email'].map((field) => readText(row[field]));
  return buildSearchTokens([...texts, phone, phone?.replace(/\D+/g, '')]);
}

const toKey = (tokens: readonly string[]): string => JSON.stringify([...tokens].sort());

const buildConversion = (
  collection: string,
  filter: Conversion['filter'],
  buildTokens: (row: StoredRow) => string[],
): Conversion => ({
  collection,
  filter,
  async convert(rows, session) {
    const changes = rows.flatMap((row) => {
      const tokens = buildTokens(row);
      if (toKey(tokens) === toKey(readTokens(row))) return [];
      return [{ updateOne: { filter: { _id: row._id }, update: { $set: { tokens } } } }];
    });
    if (changes.length > 0) await getRawCollection(collection).bulkWrite(changes, { session });
    return changes.length;
  },
});

const PARTIES = ['customers', 'vendors'];

const OTHERS = [
  'products',
  'product_categories',
  'warehouses',
  'tax_rates',
  'document_series',
  'leads',
  'opportunities',
  'invoices',
  'credit_notes',
  'sales_orders',
  'purchase_orders',
  'stock_documents',
  'payments',
  'open_items',
  'bank_transactions',
];

/** Records were not found by the last parts of their numbers, and parties not by e-mail address and phone number. */
export const searchTokens: Migration = {
  version: 13,
  name: 'search-tokens',
  summary: 'makes records findable by the last parts of their numbers, and parties by e-mail address and phone number',
  run: (context) =>
    convertCollections(context, [
      ...PARTIES.map((collection) =>
        buildConversion(
          collection,
          { $or: [{ tokens: HAS_PARTS }, { email: { $type: 'string' } }, { phone: { $type: 'string' } }] },
          buildPartyTokens,
        ),
      ),
      ...OTHERS.map((collection) => buildConversion(collection, { tokens: HAS_PARTS }, addEnds)),
    ]),
};
