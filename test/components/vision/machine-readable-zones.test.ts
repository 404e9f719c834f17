import sharp from 'sharp';
import type { MrzContent } from '../../../domain/identity/documents/mrz/compose';
import type { MrzFormat } from '../../../domain/identity/documents/mrz/format';
import { drawSpecimen, simulatePhotograph } from '../../support/identity/specimens';
import { createTestEngine, describeEngine } from '../../support/identity/vision-engine';
import type { TestEngine } from '../../support/identity/vision-engine';

const TODAY = '2026-06-15';

/** Characters that look alike at a low resolution. */
const CONTENT: MrzContent = {
  documentCode: 'I',
  issuingState: 'UTO',
  nationality: 'UTO',
  name: 'FEHNMUELLER<<HEIDI<EVE',
  documentNumber: 'DE3598BS2',
  dateOfBirth: '850823',
  sex: 'F',
  expiryDate: '330503',
};

const FRENCH_CARD: MrzContent = {
  documentCode: 'ID',
  issuingState: 'FRA',
  lastName: 'BERTHIER',
  documentNumber: '880692310285',
  firstName: 'CORINNE',
  dateOfBirth: '651206',
  sex: 'F',
};

describeEngine('machine-readable zones', () => {
  let engine: TestEngine;

  beforeAll(async () => {
    engine = await createTestEngine();
  });

  afterAll(() => engine.close());

  test.each<MrzFormat>(['TD1', 'TD3'])(
    'in OCR-B at seven pixels per character are read exactly (%s)',
    async (format) => {
      const drawn = await drawSpecimen({
        format,
        content: { ...CONTENT, documentCode: format === 'TD3' ? 'P' : 'I' },
        zoneFont: 'ocr-b',
      });
      const image = await sharp(drawn.image)
        .resize(format === 'TD3' ? 340 : 240)
        .jpeg({ quality: 80 })
        .toBuffer();
      const { mrz, models } = await engine.readDocument({ front: image, today: TODAY });
      expect(mrz).toMatchObject({ format, lines: drawn.lines, valid: true, repaired: false });
      expect(models.map(({ role }) => role)).toContain('mrz_recogniser');
    },
  );

  test('with wrong check digits are read as printed, not corrected', async () => {
    const drawn = await drawSpecimen({ format: 'TD3', content: { ...CONTENT, documentCode: 'P' }, zoneFont: 'ocr-b' });
    const [first = '', second = ''] = drawn.lines;
    const altered = `${second.slice(0, 43)}${(Number(second.charAt(43)) + 3) % 10}`;
    const { image } = await drawSpecimen({ format: 'TD3', lines: [first, altered], zoneFont: 'ocr-b' });
    const { mrz } = await engine.readDocument({ front: image, today: TODAY });
    expect(mrz).toMatchObject({ lines: [first, altered], valid: false, repaired: false });
  });

  test('of the French identity card of 1988 to 2021 are read with their own layout', async () => {
    const { image, lines } = await drawSpecimen({ format: 'IDFRA', content: FRENCH_CARD, zoneFont: 'ocr-b' });
    expect(lines).toEqual(['IDFRABERTHIER<<<<<<<<<<<<<<<<<<<<<<<', '8806923102858CORINNE<<<<<<<6512068F6']);
    const result = await engine.readDocument({ front: await simulatePhotograph(image, { margin: 80 }), today: TODAY });
    expect(result).toMatchObject({
      mrz: { format: 'IDFRA', lines, valid: true },
      documentType: 'identity_card',
      issuingState: 'FRA',
      nationality: 'FRA',
      documentNumber: '880692310285',
      lastName: 'BERTHIER',
      firstName: 'CORINNE',
      dateOfBirth: '1965-12-06',
      sex: 'F',
      expiryDate: null,
    });
    expect(result.fields.filter(({ source }) => source === 'mrz').map(({ name }) => name)).toEqual(
      expect.arrayContaining(['lastName', 'firstName', 'documentNumber', 'dateOfBirth']),
    );
  });

  test('are found if most text of the image has another direction', async () => {
    const { image: card, lines } = await drawSpecimen({ format: 'TD1', content: CONTENT, zoneFont: 'ocr-b' });
    // A card on a letter that lies on its side.
    const rows = Array.from({ length: 14 }, (_, row) => `Please return this form to the office within ten days ${row}`);
    const letter = await sharp({
      text: { text: rows.join('\n'), font: 'Noto Sans 40', rgba: true, dpi: 96, spacing: 30 },
    })
      .flatten({ background: '#fff' })
      .rotate(90)
      .png()
      .toBuffer();
    const { width = 0, height = 0 } = await sharp(letter).metadata();
    const zone = await sharp(card).extract({ left: 0, top: 360, width: 1012, height: 278 }).toBuffer();
    const image = await sharp({ create: { width: width + 60, height: height + 360, channels: 3, background: '#fff' } })
      .composite([
        { input: zone, left: 20, top: 20 },
        { input: letter, left: 30, top: 330 },
      ])
      .jpeg()
      .toBuffer();
    const { mrz } = await engine.readDocument({ front: image, today: TODAY });
    expect(mrz).toMatchObject({ format: 'TD1', lines, valid: true });
  });
});
