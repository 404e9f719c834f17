import {
  formatDocumentIdentity,
  identifyDocument,
  listBlockedIdentities,
  listPossibleIdentities,
} from '../../../../domain/identity/documents/document-identity';
import { parseAamva } from '../../../../domain/identity/documents/aamva';
import { composeMrz } from '../../../../domain/identity/documents/mrz/compose';
import { parseMrz } from '../../../../domain/identity/documents/mrz/parse';
import type { BarcodeReading, DocumentResult, MrzReading } from '../../../../domain/identity/documents/result';
import { composeAamva } from '../../../support/identity/aamva';

const NUMBER = 'Y4217906';
const box = { x: 0, y: 0, width: 10, height: 10 };
const [CALIFORNIA, TEXAS] = ['636014', '636015'];

type Reading = Parameters<typeof identifyDocument>[0];

const readBarcode = (issuerId: string): BarcodeReading => ({
  symbology: 'PDF417',
  side: 'back',
  aamva: parseAamva(composeAamva({ documentNumber: NUMBER, issuerId })),
  valid: true,
  box,
});

const readLicence = (barcode: BarcodeReading | null, others: Partial<DocumentResult> = {}): Reading => ({
  documentNumber: NUMBER,
  issuingState: 'USA',
  documentType: 'driving_licence',
  mrz: null,
  barcode,
  ...others,
});

const identify = (reading: Reading): string => {
  const document = identifyDocument(reading);
  return document === null ? '' : formatDocumentIdentity(document);
};

const format = (documents: ReturnType<typeof listPossibleIdentities>): string[] =>
  documents.map((document) => formatDocumentIdentity(document));

describe('the identity of a document', () => {
  test('of a state or province includes it: the same number of another one is another document', () => {
    expect(identify(readLicence(readBarcode(CALIFORNIA)))).toBe(`USA-CA:${NUMBER}`);
    expect(identify(readLicence(readBarcode(TEXAS)))).toBe(`USA-TX:${NUMBER}`);
  });

  test('of others is the number and the country, as earlier versions stored it', () => {
    expect(identify(readLicence(null))).toBe(`USA:${NUMBER}`);
    expect(identify(readLicence(readBarcode('999999')))).toBe(`USA:${NUMBER}`);
    // The number of the zone of an enhanced licence is not that of its state.
    expect(identify(readLicence(readBarcode(TEXAS), { documentNumber: 'X42K90617' }))).toBe('USA:X42K90617');
    expect(identify(readLicence(null, { issuingState: null }))).toBe('');
  });

  test('on the blocklist is that of its state, or its number in the whole country', () => {
    const document = { documentNumber: NUMBER, issuingState: 'USA', jurisdiction: 'TX' };
    expect(format(listBlockedIdentities(document))).toEqual([`USA-TX:${NUMBER}`, `USA:${NUMBER}`]);
    expect(format(listPossibleIdentities(readLicence(readBarcode(TEXAS))))).not.toContain(`USA-CA:${NUMBER}`);
  });

  test('of a licence without its barcode may be that of any state of its country', () => {
    const possible = format(listPossibleIdentities(readLicence(null)));
    expect(possible).toEqual(expect.arrayContaining([`USA:${NUMBER}`, `USA-CA:${NUMBER}`, `USA-TX:${NUMBER}`]));
    expect(possible.some((text) => text.startsWith('USA-ON'))).toBe(false);
  });

  test('of a passport, a card with a zone and a licence of another country has no state', () => {
    const lines = composeMrz('TD1', {
      documentCode: 'ID',
      issuingState: 'MEX',
      nationality: 'MEX',
      name: 'GARCIA<<MARIA',
      documentNumber: NUMBER,
      dateOfBirth: '910723',
      sex: 'F',
      expiryDate: '310110',
    });
    const parsed = parseMrz(lines, '2026-06-15');
    const mrz: MrzReading | null = parsed && { ...parsed, side: 'back', repaired: false, confidence: 1, box };
    for (const others of [
      { documentType: 'passport' },
      { documentType: 'identity_card', issuingState: 'MEX', mrz },
      { issuingState: 'DEU' },
    ] satisfies Partial<DocumentResult>[]) {
      expect(listPossibleIdentities(readLicence(null, others))).toHaveLength(1);
    }
  });
});
