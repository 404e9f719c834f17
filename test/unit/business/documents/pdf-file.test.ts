import { writeFileIdentity } from '../../../../activities/rendering/pdf-file';

const IDENTITY = { issuedAt: new Date('2026-11-21T10:00:00Z'), contentId: 'invoice 1' };
const INFO = "<</CreationDate (D:20260101000000+00'00')\n/ModDate (D:20260101000000+00'00')>>\nendobj\n";

test('a printed file gets the dates of issue and an identifier in place of those of printing', () => {
  const file = writeFileIdentity(Buffer.from(`%PDF-1.4\n${INFO}trailer\n<</Size 1>>`), IDENTITY).toString('latin1');
  expect(file.match(/D:20261121100000\+00'00'/g)).toHaveLength(2);
  expect(file).toMatch(/trailer\n<<\/ID \[<[0-9a-f]{32}> <[0-9a-f]{32}>\]/);
});

test.each([
  ['no dates', '%PDF-1.4\n<</Producer (x)>>\nendobj\ntrailer\n<</Size 1>>'],
  ['no trailer', `%PDF-1.4\n${INFO}`],
])('a printed file with %s is refused', async (_, text) => {
  const writing = Promise.resolve(Buffer.from(text)).then((printed) => writeFileIdentity(printed, IDENTITY));
  await expect(writing).rejects.toMatchObject({ code: 'pdf_unexpected' });
});
