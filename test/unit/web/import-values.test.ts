import { decodeBeginning, NO_MAPPING, readHeader } from '../../../web/console/business/banking/import-values';

const HEADER = 'Buchung;Währung;Betrag (€)';

const toBuffer = (text: string, encoding: BufferEncoding): ArrayBuffer =>
  new Uint8Array(Buffer.from(text, encoding)).buffer;

test('columns of a bank statement have the names that the API reads, in UTF-8 and in the encoding of older exports', () => {
  const content = `${HEADER}\n27.11.2026;EUR;12,50`;
  expect(readHeader(decodeBeginning(toBuffer(content, 'utf8')), NO_MAPPING)).toEqual(HEADER.split(';'));
  expect(readHeader(decodeBeginning(toBuffer(`\uFEFF${content}`, 'utf8')), NO_MAPPING)).toEqual(HEADER.split(';'));
  const older = toBuffer(content, 'latin1');
  expect(readHeader(decodeBeginning(older), NO_MAPPING)).toEqual(
    Buffer.from(older).toString('latin1').split('\n')[0]?.split(';'),
  );
});
