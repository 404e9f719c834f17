import { Decimal, sum } from '../../../decimal';
import { TAX_CATEGORIES } from '../../../settings/tax-rates';
import type { TaxCategory } from '../../../settings/tax-rates';
import type { ElectronicInvoice, ElectronicLine, ElectronicTax } from '../semantic-model';
import { isTaxOf } from './totals';
import { everyTax, whole } from './rule';
import type { Rule } from './rule';

/** How the standard names a VAT category in its rule ids, and what it wants of it. */
interface CategoryLaw {
  /** `BR-<id>-01` and so on. */
  id: string;
  name: string;
  rate: 'positive' | 'any' | 'zero' | 'none';
  /** Whether the tax table must, or must not, say why no tax is charged. */
  reason: 'forbidden' | 'required';
  /** Which number of the seller a line of it needs; `none` forbids VAT identifiers altogether. */
  seller: 'tax number' | 'vat identifier' | 'none';
  buyer: 'anyone' | 'registered' | 'vat identifier';
}

const LAWS: Readonly<Record<TaxCategory, CategoryLaw>> = {
  S: { id: 'S', name: 'standard rate', rate: 'positive', reason: 'forbidden', seller: 'tax number', buyer: 'anyone' },
  Z: { id: 'Z', name: 'zero rate', rate: 'zero', reason: 'forbidden', seller: 'tax number', buyer: 'anyone' },
  E: { id: 'E', name: 'exempt', rate: 'zero', reason: 'required', seller: 'tax number', buyer: 'anyone' },
  AE: {
    id: 'AE',
    name: 'reverse charge',
    rate: 'zero',
    reason: 'required',
    seller: 'tax number',
    buyer: 'registered',
  },
  K: {
    id: 'IC',
    name: 'supply within the Union',
    rate: 'zero',
    reason: 'required',
    seller: 'vat identifier',
    buyer: 'vat identifier',
  },
  G: { id: 'G', name: 'export', rate: 'zero', reason: 'required', seller: 'vat identifier', buyer: 'anyone' },
  O: { id: 'O', name: 'outside the scope of VAT', rate: 'none', reason: 'required', seller: 'none', buyer: 'anyone' },
  // The standard lets 0 % pass; the published rules of Factur-X do not.
  L: { id: 'AF', name: 'IGIC', rate: 'positive', reason: 'forbidden', seller: 'tax number', buyer: 'anyone' },
  M: { id: 'AG', name: 'IPSI', rate: 'any', reason: 'forbidden', seller: 'tax number', buyer: 'anyone' },
};

const isTaxed = ({ rate }: CategoryLaw): boolean => rate === 'positive' || rate === 'any';

function rateHolds({ rate }: CategoryLaw, percent: string | null): boolean {
  if (rate === 'none') return percent === null;
  if (percent === null) return false;
  const value = new Decimal(percent);
  return rate === 'positive' ? value.gt(0) : rate === 'zero' ? value.isZero() : !value.isNegative();
}

function sellerHolds({ seller: wanted }: CategoryLaw, { seller, buyer }: ElectronicInvoice): boolean {
  if (wanted === 'none') return seller.vatIdentifier === null && buyer.vatIdentifier === null;
  if (wanted === 'vat identifier') return seller.vatIdentifier !== null;
  return seller.vatIdentifier !== null || seller.taxRegistration !== null;
}

function buyerHolds({ buyer: wanted }: CategoryLaw, { buyer }: ElectronicInvoice): boolean {
  if (wanted === 'anyone' || buyer.vatIdentifier !== null) return true;
  return wanted === 'registered' && buyer.legalRegistration !== null;
}

const SELLER_WANTS: Readonly<Record<CategoryLaw['seller'], string>> = {
  'tax number': 'needs a tax number of the seller (BT-31 or BT-32)',
  'vat identifier': 'needs the seller’s VAT identifier (BT-31)',
  none: 'must name no VAT identifier (BT-31, BT-48)',
};

const BUYER_WANTS: Readonly<Record<CategoryLaw['buyer'], string>> = {
  anyone: '',
  registered: 'needs the buyer’s VAT identifier (BT-48) or registration (BT-47)',
  'vat identifier': 'needs the buyer’s VAT identifier (BT-48)',
};

const sameRate = (tax: ElectronicTax, line: ElectronicLine): boolean =>
  tax.percent === line.percent ||
  (tax.percent !== null && line.percent !== null && new Decimal(tax.percent).eq(line.percent));

const taxableOf = (tax: ElectronicTax, lines: readonly ElectronicLine[]): Decimal =>
  sum(
    lines.filter((line) => line.category === tax.category && sameRate(tax, line)).map((line) => new Decimal(line.net)),
  );

/** Who must be named where a line of the category stands (BR-X-02). */
function partyRules(category: TaxCategory, law: CategoryLaw): Rule[] {
  const unused = ({ lines }: ElectronicInvoice): boolean => lines.every((line) => line.category !== category);
  const id = `BR-${law.id}-02`;
  const seller = whole(
    id,
    'company.taxId',
    `a line of category ${category}, ${law.name}, ${SELLER_WANTS[law.seller]}`,
    (invoice) => unused(invoice) || sellerHolds(law, invoice),
  );
  const buyer = whole(
    id,
    'customer.taxId',
    `a line of category ${category}, ${law.name}, ${BUYER_WANTS[law.buyer]}`,
    (invoice) => unused(invoice) || buyerHolds(law, invoice),
  );
  return [seller, buyer];
}

/** The rules that every category has, each with its own answers. */
function rulesOf(category: TaxCategory, law: CategoryLaw): Rule[] {
  const called = `category ${category}, ${law.name},`;
  const of = (tax: ElectronicTax): boolean => tax.category === category;
  const rates = { positive: 'above zero', any: 'not negative', zero: '0', none: 'left out' } as const;
  return [
    whole(`BR-${law.id}-01`, 'taxes', `${called} needs a row of the tax table, and one alone`, ({ lines, taxes }) => {
      const rows = taxes.filter(of).length;
      const used = lines.some((line) => line.category === category);
      return used ? rows === 1 || (rows > 1 && isTaxed(law)) : rows === 0;
    }),
    ...partyRules(category, law),
    {
      id: `BR-${law.id}-05`,
      wants: `the rate (BT-152) of ${called} must be ${rates[law.rate]}`,
      breaches: ({ lines }) =>
        lines.flatMap((line, index) =>
          line.category !== category || rateHolds(law, line.percent) ? [] : [`lines[${index}].taxRateId`],
        ),
    },
    everyTax(
      `BR-${law.id}-08`,
      `the taxable amount (BT-116) of ${called} must be the sum of its lines`,
      (tax, { lines }) => !of(tax) || taxableOf(tax, lines).eq(tax.taxable),
    ),
    everyTax(
      `BR-${law.id}-09`,
      `the tax (BT-117) of ${called} must be ${isTaxed(law) ? 'its taxable amount times its rate' : '0'}`,
      (tax) => !of(tax) || (isTaxed(law) ? isTaxOf(tax) : new Decimal(tax.tax).isZero()),
    ),
    everyTax(
      `BR-${law.id}-10`,
      law.reason === 'required'
        ? `${called} needs a reason (BT-120); give the tax rate an exemption reason`
        : `${called} must have no exemption reason (BT-120)`,
      (tax) => !of(tax) || (tax.exemptionReason !== null || tax.exemptionCode !== null) === (law.reason === 'required'),
    ),
  ];
}

const only = ({ lines }: ElectronicInvoice): boolean =>
  lines.every(({ category }) => category === 'O') || lines.every(({ category }) => category !== 'O');

/** Rules that one category has alone. */
const PARTICULAR: readonly Rule[] = [
  whole(
    'BR-IC-11',
    'issueDate',
    'a supply within the Union needs its date of delivery (BT-72)',
    ({ lines, delivery }) => lines.every(({ category }) => category !== 'K') || delivery !== null,
  ),
  whole(
    'BR-IC-12',
    'customer.address.country',
    'a supply within the Union needs the country it goes to (BT-80)',
    ({ lines, delivery }) =>
      lines.every(({ category }) => category !== 'K') || (delivery !== null && delivery.country !== null),
  ),
  whole(
    'BR-O-11',
    'taxes',
    'what is outside the scope of VAT cannot stand in one tax table with anything else',
    ({ taxes }) => taxes.length < 2 || taxes.every(({ category }) => category !== 'O'),
  ),
  whole('BR-O-12', 'lines', 'what is outside the scope of VAT cannot stand on one document with anything else', only),
];

/** The rules of the VAT categories (BR-S-*, BR-Z-*, BR-E-*, BR-AE-*, BR-IC-*, BR-G-*, BR-O-*, BR-AF-*, BR-AG-*). */
export const CATEGORY_RULES: readonly Rule[] = [
  ...TAX_CATEGORIES.flatMap((category) => rulesOf(category, LAWS[category])),
  ...PARTICULAR,
];
