import { Decimal } from '../../../decimal';
import type { ElectronicInvoice } from '../semantic-model';
import type { EInvoiceProfile } from '../specification';
import { documentRule } from './rule';
import type { Rule } from './rule';

const hasText = (text: string | null | undefined): boolean => text != null && text.trim() !== '';

/** What a profile requires of a part of the document, with the field that has it. */
const requireText = (
  id: string,
  field: string,
  wants: string,
  read: (invoice: ElectronicInvoice) => string | null | undefined,
): Rule => documentRule(id, field, wants, (invoice) => hasText(read(invoice)));

/** Rules of Peppol BIS Billing 3 that a document of this service can violate; XRechnung 3 has them too. */
const PEPPOL_COMMON: readonly Rule[] = [
  requireText(
    'PEPPOL-EN16931-R010',
    'customer.electronicAddress',
    'the buyer needs an electronic address (BT-49) or an email address',
    ({ buyer }) => buyer.endpoint?.identifier,
  ),
  requireText(
    'PEPPOL-EN16931-R020',
    'company.electronicAddress',
    'the seller needs an electronic address (BT-34) or an email address',
    ({ seller }) => seller.endpoint?.identifier,
  ),
];

/** Schemes of EN 16931 that Peppol does not have, such as EM (electronic mail). */
const SCHEMES_OUTSIDE_PEPPOL = new Set(['AN', 'AQ', 'AS', 'AU', 'EM']);

const requirePeppolScheme = (party: 'seller' | 'buyer', field: string): Rule =>
  documentRule(
    'PEPPOL-EN16931-CL008',
    field,
    `the ${party} needs an electronic address with a scheme of Peppol, such as 0088 (GLN) or 9930 (VAT number)`,
    ({ [party]: { endpoint } }) => endpoint === null || !SCHEMES_OUTSIDE_PEPPOL.has(endpoint.scheme),
  );

const PEPPOL_RULES: readonly Rule[] = [
  ...PEPPOL_COMMON,
  requirePeppolScheme('seller', 'company.electronicAddress'),
  requirePeppolScheme('buyer', 'customer.electronicAddress'),
  documentRule(
    'PEPPOL-EN16931-R003',
    'buyerReference',
    'a buyer reference (BT-10) or a purchase order reference (BT-13) is required',
    ({ buyerReference, purchaseOrder }) => hasText(buyerReference) || hasText(purchaseOrder),
  ),
];

type RuleName = (number: number) => string;

const buildContactRules = (name: RuleName): readonly Rule[] => [
  documentRule(name(1), 'company.iban', 'payment instructions (BG-16) are required', ({ payment }) => payment !== null),
  documentRule(
    name(2),
    'company.email',
    'a contact of the seller (BG-6) is required',
    ({ seller }) => seller.contact !== null,
  ),
  requireText(name(3), 'company.address.city', 'the seller needs a city (BT-37)', ({ seller }) => seller.address.city),
  requireText(
    name(4),
    'company.address.postalCode',
    'the seller needs a post code (BT-38)',
    ({ seller }) => seller.address.postCode,
  ),
  requireText(
    name(6),
    'company.phone',
    'the seller needs a phone number (BT-42)',
    ({ seller }) => seller.contact?.phone,
  ),
  requireText(
    name(7),
    'company.email',
    'the seller needs an email address (BT-43)',
    ({ seller }) => seller.contact?.email,
  ),
  requireText(name(8), 'customer.address.city', 'the buyer needs a city (BT-52)', ({ buyer }) => buyer.address.city),
  requireText(
    name(9),
    'customer.address.postalCode',
    'the buyer needs a post code (BT-53)',
    ({ buyer }) => buyer.address.postCode,
  ),
];

const buildReferenceRules = (name: RuleName): readonly Rule[] => [
  documentRule(
    name(10),
    'customer.address.city',
    'the place of delivery needs a city (BT-77)',
    ({ delivery }) => delivery === null || delivery.country === null || hasText(delivery.city),
  ),
  documentRule(
    name(11),
    'customer.address.postalCode',
    'the place of delivery needs a post code (BT-78)',
    ({ delivery }) => delivery === null || delivery.country === null || hasText(delivery.postCode),
  ),
  requireText(
    name(15),
    'buyerReference',
    'a buyer reference (BT-10), such as a Leitweg-ID, is required',
    ({ buyerReference }) => buyerReference,
  ),
  documentRule(
    name(16),
    'company.taxId',
    'the seller needs a VAT identifier (BT-31) or a tax number (BT-32)',
    ({ seller, lines }) =>
      lines.every(({ category }) => category === 'O') ||
      hasText(seller.vatIdentifier) ||
      hasText(seller.taxRegistration),
  ),
  documentRule(
    name(27),
    'company.phone',
    'the phone number of the seller (BT-42) needs at least three digits',
    ({ seller }) => !hasText(seller.contact?.phone) || (seller.contact?.phone?.match(/\d/gu)?.length ?? 0) >= 3,
  ),
];

/** National rules of XRechnung 3 (KoSIT); their ids in Peppol BIS, for sellers and buyers in Germany, begin with DE-R. */
const buildGermanRules = (name: RuleName): readonly Rule[] => [
  ...buildContactRules(name),
  ...buildReferenceRules(name),
];

const XRECHNUNG_RULES: readonly Rule[] = [
  ...PEPPOL_COMMON,
  ...buildGermanRules((number) => `BR-DE-${number}`),
  documentRule(
    'BR-DE-18',
    'earlyPaymentDiscount.percent',
    'the percentage of a discount for early payment (#PROZENT= in BT-20) has at most two decimals',
    ({ earlyPayment }) => earlyPayment === null || new Decimal(earlyPayment.percent).decimalPlaces() <= 2,
  ),
];

const isGerman = ({ seller, buyer }: ElectronicInvoice): boolean =>
  seller.address.country === 'DE' && buyer.address.country === 'DE';

/** The rules of Peppol for sellers and buyers in Germany. */
const PEPPOL_GERMAN_RULES: readonly Rule[] = buildGermanRules((number) => `DE-R-${String(number).padStart(3, '0')}`)
  // Peppol has no rules on the place of delivery.
  .filter(({ id }) => id !== 'DE-R-010' && id !== 'DE-R-011')
  .map((rule) => ({ ...rule, findBreaches: (invoice) => (isGerman(invoice) ? rule.findBreaches(invoice) : []) }));

/** The rules of each profile beyond those of EN 16931. */
export const PROFILE_RULES: Readonly<Record<EInvoiceProfile, readonly Rule[]>> = {
  en16931: [],
  xrechnung: XRECHNUNG_RULES,
  peppol: [...PEPPOL_RULES, ...PEPPOL_GERMAN_RULES],
  extended: [],
};
