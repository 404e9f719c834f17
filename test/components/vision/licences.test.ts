import type { DocumentResult } from '../../../domain/identity/documents/result';
import { loadPortrait } from '../../../scripts/demo/photos';
import { photographPages } from '../../../scripts/demo/specimen';
import { composeAamva } from '../../support/identity/aamva';
import { buildLicenceBack, buildLicenceFront, buildNumberedLicenceFront } from '../../support/identity/cards';
import { findChromium } from '../../support/chromium';
import { listRiskCodes } from '../../support/identity/risk-codes';
import { simulatePhotograph } from '../../support/identity/specimens';
import { createTestEngine, describeEngine } from '../../support/identity/vision-engine';
import type { TestEngine } from '../../support/identity/vision-engine';

const TODAY = '2026-06-15';

describeEngine('a North American driving licence', () => {
  let engine: TestEngine;
  const images: Record<string, Buffer> = {};
  const read = (front: string, back?: string): Promise<DocumentResult> =>
    engine.readDocument({
      front: images[front] ?? Buffer.alloc(0),
      ...(back === undefined ? {} : { back: images[back] ?? Buffer.alloc(0) }),
      today: TODAY,
    });

  beforeAll(async () => {
    engine = await createTestEngine();
    const portrait = await loadPortrait('anna');
    const pages = {
      front: buildLicenceFront(portrait),
      back: await buildLicenceBack(),
      numbered: buildNumberedLicenceFront(portrait),
      otherBirth: buildLicenceFront(portrait, { birth: '1989-03-11' }),
      otherPerson: await buildLicenceBack({
        lastName: 'OKONKWO',
        firstName: 'ADAEZE',
        documentNumber: 'B7719034',
        dateOfBirth: '1978-02-02',
      }),
      faulty: await buildLicenceBack(composeAamva({ expiryDate: '2030-02-31' })),
      shopping: await buildLicenceBack('LOYALTY CARD 00012345678901234567890 THANK YOU FOR SHOPPING WITH US TODAY'),
    };
    const drawn = await photographPages(Object.values(pages), { chromiumPath: await findChromium() });
    Object.keys(pages).forEach((name, index) => (images[name] = drawn[index] ?? Buffer.alloc(0)));
    images['tilted'] = await simulatePhotograph(images['back'] ?? Buffer.alloc(0), { turn: 6, margin: 80 });
    images['upsideDown'] = await simulatePhotograph(images['back'] ?? Buffer.alloc(0), { turn: 180 });
  });
  afterAll(() => engine.close());

  test('is read from its barcode, which the print agrees with', async () => {
    const result = await read('front', 'back');
    expect(result).toMatchObject({
      documentType: 'driving_licence',
      issuingState: 'USA',
      documentNumber: 'Y4217906',
      fullName: 'KLARA MARTINSDOTTER',
      dateOfBirth: '1991-07-23',
      issueDate: '2024-02-01',
      expiryDate: '2030-07-23',
      sex: 'F',
      address: '2415 1ST AVE, SACRAMENTO, CA 95818',
      mrz: null,
      barcode: {
        symbology: 'PDF417',
        side: 'back',
        valid: true,
        aamva: { jurisdiction: 'CA', version: 10, faults: [] },
      },
      portrait: { side: 'front' },
    });
    for (const name of ['documentNumber', 'lastName', 'firstName', 'dateOfBirth', 'expiryDate']) {
      expect(
        result.fields.filter((field) => field.name === name).map(({ source, agrees }) => [source, agrees]),
      ).toEqual([
        ['barcode', true],
        ['visual', true],
      ]);
    }
    expect(listRiskCodes(result)).toEqual([]);
    expect(result.status).toBe('approved');
  });

  test.each(['tilted', 'upsideDown'])('is read with its barcode %s', async (back) => {
    expect(await read('front', back)).toMatchObject({ barcode: { valid: true }, status: 'approved' });
  });

  test('is read with its sides swapped', async () => {
    expect(await read('back', 'front')).toMatchObject({
      documentNumber: 'Y4217906',
      barcode: { side: 'front' },
      portrait: { side: 'back' },
      status: 'approved',
    });
  });

  test('without its back is reported without barcode, with dates read month first', async () => {
    const result = await read('front');
    expect(listRiskCodes(result)).toEqual(['barcode_not_found']);
    expect(result).toMatchObject({
      issuingState: 'USA',
      documentNumber: 'Y4217906',
      lastName: 'MARTINSDOTTER',
      firstName: 'KLARA',
      issueDate: '2024-02-01',
      status: 'review',
    });
  });

  test('whose print contradicts the barcode is sent to review', async () => {
    const result = await read('otherBirth', 'back');
    expect(result.risks).toContainEqual(
      expect.objectContaining({ code: 'barcode_visual_mismatch', details: { fields: 'dateOfBirth' } }),
    );
    expect(listRiskCodes(result)).not.toContain('two_documents');
    expect(result.status).toBe('review');
  });

  test('whose altered front has numbers as captions is never approved, and reports what each side states', async () => {
    const result = await read('numbered', 'back');
    expect(listRiskCodes(result)).toEqual(expect.arrayContaining(['barcode_visual_mismatch', 'two_documents']));
    expect(result.status).toBe('declined');
    const states = (name: string) =>
      result.fields.filter((field) => field.name === name).map(({ source, value }) => [source, value]);
    expect(states('firstName')).toEqual([
      ['barcode', 'KLARA'],
      ['visual', 'ADAEZE'],
    ]);
    expect(states('dateOfBirth')).toEqual([
      ['barcode', '1991-07-23'],
      ['visual', '1978-02-02'],
    ]);
  });

  test("with another person's back is reported as two documents", async () => {
    expect(listRiskCodes(await read('front', 'otherPerson'))).toEqual(
      expect.arrayContaining(['barcode_visual_mismatch', 'two_documents']),
    );
  });

  test('whose barcode states an impossible date fails its check, with the fault', async () => {
    expect((await read('front', 'faulty')).risks).toContainEqual(
      expect.objectContaining({ code: 'barcode_check_failed', details: { faults: 'expiryDate' } }),
    );
  });

  test('whose barcode is not that of a licence fails its check', async () => {
    expect(listRiskCodes(await read('front', 'shopping'))).toContain('barcode_check_failed');
  });

  test('with its back only is reported as the wrong side', async () => {
    const result = await read('back');
    expect(listRiskCodes(result)).toContain('wrong_side');
    expect(result.status).toBe('declined');
  });
});
