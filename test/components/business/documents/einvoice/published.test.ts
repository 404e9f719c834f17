import { toCiiXml } from '../../../../../domain/business/documents/einvoice/cii';
import { findRuleViolations } from '../../../../../domain/business/documents/einvoice/check';
import { toElectronicInvoice } from '../../../../../domain/business/documents/einvoice/from-document';
import type { ElectronicInvoice } from '../../../../../domain/business/documents/einvoice/semantic-model';
import { EINVOICE_PROFILES } from '../../../../../domain/business/documents/einvoice/specification';
import type { EInvoiceProfile } from '../../../../../domain/business/documents/einvoice/specification';
import { toUblXml } from '../../../../../domain/business/documents/einvoice/ubl';
import type { IssuedDocument } from '../../../../../domain/business/invoices/invoice';
import { buildTestInvoice } from '../../../../support/business/documents';
import { openPublishedRules } from '../../../../support/business/published-rules';
import type { Syntax } from '../../../../support/business/published-rules';
import { COMPLIANT_DOCUMENTS } from '../../../../support/business/compliant-documents';

const PROFILES: readonly EInvoiceProfile[] = EINVOICE_PROFILES;

/** What XRechnung and Peppol require beyond EN 16931. */
const withProfile = (document: IssuedDocument, profile: EInvoiceProfile): IssuedDocument => ({
  ...document,
  eInvoiceProfile: profile,
  buyerReference: '991-33333TEST-33',
  seller: {
    ...document.seller,
    email: 'billing@nordlicht.example',
    phone: '+49 40 1234567',
    electronicAddress: '9930:DE123456789',
  },
  buyer: {
    ...document.buyer,
    address: { ...document.buyer.address, city: 'Berlin', postalCode: '10115' },
    electronicAddress: '0204:991-33333TEST-33',
  },
});

interface RenderedInvoice {
  syntax: Syntax;
  profile: EInvoiceProfile;
  xml: string;
}

const renderBothSyntaxes = (invoice: ElectronicInvoice): RenderedInvoice[] => [
  { syntax: 'cii', profile: invoice.profile, xml: toCiiXml(invoice) },
  {
    syntax: invoice.typeCode === '381' ? 'ubl-creditnote' : 'ubl-invoice',
    profile: invoice.profile,
    xml: toUblXml(invoice),
  },
];

const fit = toElectronicInvoice(buildTestInvoice());
const xrechnung = toElectronicInvoice(withProfile(buildTestInvoice(), 'xrechnung'));
const peppol = toElectronicInvoice(withProfile(buildTestInvoice(), 'peppol'));

/** Documents with one violation each, which both the service's and the published rules must find. */
const UNFIT: Readonly<Record<string, ElectronicInvoice>> = {
  'BR-11': { ...fit, buyer: { ...fit.buyer, address: { ...fit.buyer.address, country: null } } },
  'BR-CO-10': { ...fit, totals: { ...fit.totals, lines: '101.00' } },
  'BR-CO-15': { ...fit, totals: { ...fit.totals, taxInclusive: '120.00', due: '120.00' } },
  'BR-CO-26': { ...fit, seller: { ...fit.seller, vatIdentifier: null, legalRegistration: null, taxRegistration: '1' } },
  'BR-S-02': { ...fit, seller: { ...fit.seller, vatIdentifier: null } },
  'BR-DEC-14': { ...fit, totals: { ...fit.totals, taxInclusive: '119.000' } },
  'BR-CL-23': { ...fit, lines: fit.lines.map((line) => ({ ...line, unit: 'PCS' })) },
};

/** The same for the rules of profiles. */
const UNFIT_FOR_PROFILE: readonly (readonly [string, ElectronicInvoice])[] = [
  ['BR-DE-1', { ...xrechnung, payment: null }],
  ['BR-DE-2', { ...xrechnung, seller: { ...xrechnung.seller, contact: null } }],
  ['BR-DE-3', { ...xrechnung, seller: { ...xrechnung.seller, address: { ...xrechnung.seller.address, city: null } } }],
  ['BR-DE-8', { ...xrechnung, buyer: { ...xrechnung.buyer, address: { ...xrechnung.buyer.address, city: null } } }],
  ['BR-DE-15', { ...xrechnung, buyerReference: null }],
  ['PEPPOL-EN16931-R010', { ...xrechnung, buyer: { ...xrechnung.buyer, endpoint: null } }],
  ['PEPPOL-EN16931-R020', { ...xrechnung, seller: { ...xrechnung.seller, endpoint: null } }],
  [
    'PEPPOL-EN16931-CL008',
    { ...peppol, buyer: { ...peppol.buyer, endpoint: { scheme: 'EM', identifier: 'a@b.example' } } },
  ],
  ['PEPPOL-EN16931-R003', { ...peppol, buyerReference: null, purchaseOrder: null }],
];

const published = openPublishedRules();
const hasProfiles = published?.hasProfiles === true;
const describeIf = (available: boolean) => (available ? describe : describe.skip);

/** Profiles of national and international networks, whose rules are in archives of Maven. */
const NETWORK_PROFILES: readonly EInvoiceProfile[] = PROFILES.filter(
  (profile) => profile === 'xrechnung' || profile === 'peppol',
);

const listCompliant = (profile: EInvoiceProfile): { name: string; invoice: ElectronicInvoice }[] =>
  Object.entries(COMPLIANT_DOCUMENTS).map(([name, document]) => {
    const subject = profile === 'en16931' ? document : withProfile(document, profile);
    return { name, invoice: toElectronicInvoice(subject) };
  });

/** What the published rules find in each XML document. */
const findings = new Map<string, string[]>();
const readFindings = (invoice: ElectronicInvoice): (string[] | undefined)[] =>
  renderBothSyntaxes(invoice).map(({ xml }) => findings.get(xml));

// All at once, because the rules take seconds to compile.
beforeAll(() => {
  if (published === null) return;
  const rendered = [
    ...PROFILES.flatMap((profile) => listCompliant(profile).map(({ invoice }) => invoice)),
    ...Object.values(UNFIT),
    ...UNFIT_FOR_PROFILE.map(([, invoice]) => invoice),
  ]
    .filter(({ profile }) => hasProfiles || !NETWORK_PROFILES.includes(profile))
    .flatMap(renderBothSyntaxes);
  published.validate(rendered).forEach((found, index) => findings.set(rendered[index]?.xml ?? '', found));
});

/** Expects no finding for each document, by name, profile and syntax. */
function expectCompliance(profile: EInvoiceProfile): void {
  const documents = listCompliant(profile);
  const own = documents.map(({ name, invoice }) => [name, findRuleViolations(invoice)]);
  expect(own).toEqual(documents.map(({ name }) => [name, []]));
  expect(documents.map(({ name, invoice }) => [name, readFindings(invoice)])).toEqual(
    documents.map(({ name }) => [name, [[], []]]),
  );
}

/** Expects that the service and the published rules find the violation, in both syntaxes that the profile has. */
function expectSameFindings(unfit: readonly (readonly [string, ElectronicInvoice])[]): void {
  for (const [rule, invoice] of unfit) {
    const [cii, ubl] = readFindings(invoice);
    expect(findRuleViolations(invoice).map((violation) => violation.rule)).toContain(rule);
    // The rules of Factur-X use their own ids for code lists.
    const inCii = rule === 'BR-CL-23' ? '@unitCode' : rule;
    if (invoice.profile !== 'peppol') expect([rule, cii?.join('\n')]).toEqual([rule, expect.stringContaining(inCii)]);
    expect([rule, ubl?.join('\n')]).toEqual([rule, expect.stringContaining(rule)]);
  }
}

describeIf(published !== null)('the published schemas and rules of EN 16931 (with python3 and pip)', () => {
  test('accept the documents that the service writes, and find the same violations as its own rules', () => {
    expectCompliance('en16931');
    expectSameFindings(Object.entries(UNFIT));
  });

  test('accept them as Factur-X Extended', () => expectCompliance('extended'));
});

describeIf(hasProfiles)('the published rules of profiles (with python3, pip and Maven)', () => {
  test.each(NETWORK_PROFILES)('of %s accept the documents that the service writes for it', (profile) =>
    expectCompliance(profile),
  );

  test('find the same violations as the rules of the service', () => expectSameFindings(UNFIT_FOR_PROFILE));
});
