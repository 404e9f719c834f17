/**
 * Profiles of electronic invoices: the core of EN 16931, XRechnung 3 (Germany, public buyers), Peppol BIS Billing 3, and
 * Factur-X Extended.
 */
export const EINVOICE_PROFILES = ['en16931', 'xrechnung', 'peppol', 'extended'] as const;
export type EInvoiceProfile = (typeof EINVOICE_PROFILES)[number];

interface ProfileSpecification {
  /** BT-24 in UBL. */
  ubl: string;
  /** BT-24 in Cross Industry Invoice. */
  cii: string;
  /** BT-23; null if the profile needs none. */
  businessProcess: string | null;
  /** Name of the embedded file, and conformance level in the metadata of the PDF (Factur-X 1.0, section 6). */
  facturx: { fileName: string; level: string };
}

const CORE = 'urn:cen.eu:en16931:2017';
const BILLING_PROCESS = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';
const XRECHNUNG = `${CORE}#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0`;
const CORE_FILE = { fileName: 'factur-x.xml', level: 'EN 16931' };

/** Peppol has a profile of UBL alone, and Factur-X Extended one of Cross Industry Invoice; the other syntax is the core. */
export const PROFILE_SPECIFICATIONS: Readonly<Record<EInvoiceProfile, ProfileSpecification>> = {
  en16931: { ubl: CORE, cii: CORE, businessProcess: null, facturx: CORE_FILE },
  xrechnung: {
    ubl: XRECHNUNG,
    cii: XRECHNUNG,
    businessProcess: BILLING_PROCESS,
    facturx: { fileName: 'xrechnung.xml', level: 'XRECHNUNG' },
  },
  peppol: {
    ubl: `${CORE}#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0`,
    cii: CORE,
    businessProcess: BILLING_PROCESS,
    facturx: CORE_FILE,
  },
  extended: {
    ubl: CORE,
    cii: `${CORE}#conformant#urn:factur-x.eu:1p0:extended`,
    businessProcess: null,
    facturx: { fileName: 'factur-x.xml', level: 'EXTENDED' },
  },
};
