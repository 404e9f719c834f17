import { Decimal, sum } from '../../../decimal';
import { signAdjustment } from '../../../invoices/adjustments';
import { TAX_CATEGORIES } from '../../../settings/tax-rates';
import type { TaxCategory } from '../../../settings/tax-rates';
import type { ElectronicInvoice, ElectronicLine, ElectronicTax } from '../semantic-model';
import { isTaxConsistent } from './totals';
import { taxRule, documentRule } from './rule';
import type { Rule } from './rule';

/** A VAT category with its name in the standard's rule ids, and its requirements. */
interface CategoryRequirements {
  /** `BR-<id>-01` and so on. */
  id: string;
  name: string;
  rate: 'positive' | 'any' | 'zero' | 'none';
  /** Whether the tax table must, or must not, have an exemption reason. */
  reason: 'forbidden' | 'required';
  /** The seller's number that a line of the category requires; `none` forbids VAT identifiers. */
  seller: 'tax number' | 'vat identifier' | 'none';
  buyer: 'anyone' | 'registered' | 'vat identifier';
}

const CATEGORY_REQUIREMENTS: Readonly<Record<TaxCategory, CategoryRequirements>> = {
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
  // The standard allows 0 %; the published rules of Factur-X do not.
  L: { id: 'AF', name: 'IGIC', rate: 'positive', reason: 'forbidden', seller: 'tax number', buyer: 'anyone' },
  M: { id: 'AG', name: 'IPSI', rate: 'any', reason: 'forbidden', seller: 'tax number', buyer: 'anyone' },
};

const isTaxed = ({ rate }: CategoryRequirements): boolean => rate === 'positive' || rate === 'any';

function isRateAllowed({ rate }: CategoryRequirements, percent: string | null): boolean {
  if (rate === 'none') return percent === null;
  if (percent === null) return false;
  const value = new Decimal(percent);
  return rate === 'positive' ? value.gt(0) : rate === 'zero' ? value.isZero() : !value.isNegative();
}

function meetsSellerRequirement(
  { seller: required }: CategoryRequirements,
  { seller, buyer }: ElectronicInvoice,
): boolean {
  if (required === 'none') return seller.vatIdentifier === null && buyer.vatIdentifier === null;
  if (required === 'vat identifier') return seller.vatIdentifier !== null;
  return seller.vatIdentifier !== null || seller.taxRegistration !== null;
}

function meetsBuyerRequirement({ buyer: required }: CategoryRequirements, { buyer }: ElectronicInvoice): boolean {
  if (required === 'anyone' || buyer.vatIdentifier !== null) return true;
  return required === 'registered' && buyer.legalRegistration !== null;
}

const SELLER_REQUIREMENTS: Readonly<Record<CategoryRequirements['seller'], string>> = {
  'tax number': 'needs a tax number of the seller (BT-31 or BT-32)',
  'vat identifier': 'needs the seller’s VAT identifier (BT-31)',
  none: 'must name no VAT identifier (BT-31, BT-48)',
};

const BUYER_REQUIREMENTS: Readonly<Record<CategoryRequirements['buyer'], string>> = {
  anyone: '',
  registered: 'needs the buyer’s VAT identifier (BT-48) or registration (BT-47)',
  'vat identifier': 'needs the buyer’s VAT identifier (BT-48)',
};

const hasSameRate = (tax: ElectronicTax, line: Pick<ElectronicLine, 'percent'>): boolean =>
  new Decimal(tax.percent ?? '0').eq(line.percent ?? '0');

/** The lines of a row of the tax table, less the document's discounts and plus its charges at that rate. */
const sumTaxable = (tax: ElectronicTax, { lines, adjustments }: ElectronicInvoice): Decimal =>
  sum([
    ...lines
      .filter((line) => line.category === tax.category && hasSameRate(tax, line))
      .map((line) => new Decimal(line.net)),
    ...adjustments
      .filter(({ category, taxPercent: percent }) => category === tax.category && hasSameRate(tax, { percent }))
      .map(({ type, amount }) => signAdjustment(type, new Decimal(amount))),
  ]);

/** The categories of the lines, discounts and charges of a document. */
const listCategories = ({ lines, adjustments }: ElectronicInvoice): TaxCategory[] =>
  [...lines, ...adjustments].map(({ category }) => category);

/** The parties whose VAT identifier a line of the category requires (BR-X-02). */
function buildPartyRules(category: TaxCategory, requirements: CategoryRequirements): Rule[] {
  const unused = (invoice: ElectronicInvoice): boolean => !listCategories(invoice).includes(category);
  const id = `BR-${requirements.id}-02`;
  const seller = documentRule(
    id,
    'company.taxId',
    `a line of category ${category}, ${requirements.name}, ${SELLER_REQUIREMENTS[requirements.seller]}`,
    (invoice) => unused(invoice) || meetsSellerRequirement(requirements, invoice),
  );
  const buyer = documentRule(
    id,
    'customer.taxId',
    `a line of category ${category}, ${requirements.name}, ${BUYER_REQUIREMENTS[requirements.buyer]}`,
    (invoice) => unused(invoice) || meetsBuyerRequirement(requirements, invoice),
  );
  return [seller, buyer];
}

/** The rules that exist for every category. */
function buildCategoryRules(category: TaxCategory, requirements: CategoryRequirements): Rule[] {
  const label = `category ${category}, ${requirements.name},`;
  const isOfCategory = (tax: ElectronicTax): boolean => tax.category === category;
  const rates = { positive: 'above zero', any: 'not negative', zero: '0', none: 'left out' } as const;
  return [
    documentRule(
      `BR-${requirements.id}-01`,
      'taxes',
      `${label} needs a row of the tax table, and one alone`,
      (invoice) => {
        const rows = invoice.taxes.filter(isOfCategory).length;
        const used = listCategories(invoice).includes(category);
        return used ? rows === 1 || (rows > 1 && isTaxed(requirements)) : rows === 0;
      },
    ),
    ...buildPartyRules(category, requirements),
    {
      id: `BR-${requirements.id}-05`,
      wants: `the rate (BT-152) of ${label} must be ${rates[requirements.rate]}`,
      findBreaches: ({ lines }) =>
        lines.flatMap((line, index) =>
          line.category !== category || isRateAllowed(requirements, line.percent) ? [] : [`lines[${index}].taxRateId`],
        ),
    },
    ...(['discount', 'charge'] as const).map((type) =>
      documentRule(
        `BR-${requirements.id}-0${type === 'discount' ? 6 : 7}`,
        'adjustments',
        `the rate of a ${type} (${type === 'discount' ? 'BT-96' : 'BT-103'}) of ${label} must be ${rates[requirements.rate]}`,
        ({ adjustments }) =>
          adjustments.every(
            (each) => each.type !== type || each.category !== category || isRateAllowed(requirements, each.taxPercent),
          ),
      ),
    ),
    taxRule(
      `BR-${requirements.id}-08`,
      `the taxable amount (BT-116) of ${label} must be the sum of its lines, discounts and charges`,
      (tax, invoice) => !isOfCategory(tax) || sumTaxable(tax, invoice).eq(tax.taxable),
    ),
    taxRule(
      `BR-${requirements.id}-09`,
      `the tax (BT-117) of ${label} must be ${isTaxed(requirements) ? 'its taxable amount times its rate' : '0'}`,
      (tax) => !isOfCategory(tax) || (isTaxed(requirements) ? isTaxConsistent(tax) : new Decimal(tax.tax).isZero()),
    ),
    taxRule(
      `BR-${requirements.id}-10`,
      requirements.reason === 'required'
        ? `${label} needs a reason (BT-120); give the tax rate an exemption reason`
        : `${label} must have no exemption reason (BT-120)`,
      (tax) =>
        !isOfCategory(tax) ||
        (tax.exemptionReason !== null || tax.exemptionCode !== null) === (requirements.reason === 'required'),
    ),
  ];
}

const hasUniformVatScope = (invoice: ElectronicInvoice): boolean =>
  new Set(listCategories(invoice).map((category) => category === 'O')).size < 2;

/** Rules that exist for one category only. */
const CATEGORY_SPECIFIC_RULES: readonly Rule[] = [
  documentRule(
    'BR-IC-11',
    'deliveryDate',
    'a supply within the Union needs its date (BT-72) or period (BG-14) of delivery',
    ({ lines, delivery, period }) =>
      lines.every(({ category }) => category !== 'K') || (delivery?.date ?? period) !== null,
  ),
  documentRule(
    'BR-IC-12',
    'customer.address.country',
    'a supply within the Union needs the country it goes to (BT-80)',
    ({ lines, delivery }) => lines.every(({ category }) => category !== 'K') || (delivery?.country ?? null) !== null,
  ),
  documentRule(
    'BR-O-11',
    'taxes',
    'what is outside the scope of VAT cannot stand in one tax table with anything else',
    ({ taxes }) => taxes.length < 2 || taxes.every(({ category }) => category !== 'O'),
  ),
  documentRule(
    'BR-O-12',
    'lines',
    'what is outside the scope of VAT cannot stand on one document with anything else',
    hasUniformVatScope,
  ),
];

/** The rules of the VAT categories (BR-S-*, BR-Z-*, BR-E-*, BR-AE-*, BR-IC-*, BR-G-*, BR-O-*, BR-AF-*, BR-AG-*). */
export const CATEGORY_RULES: readonly Rule[] = [
  ...TAX_CATEGORIES.flatMap((category) => buildCategoryRules(category, CATEGORY_REQUIREMENTS[category])),
  ...CATEGORY_SPECIFIC_RULES,
];
