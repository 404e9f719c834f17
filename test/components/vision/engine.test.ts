import sharp from 'sharp';
import type { MrzContent } from '../../../domain/identity/documents/mrz/compose';
import type { MrzFormat } from '../../../domain/identity/documents/mrz/format';
import { rephotographPortrait } from '../../../bench/vision/recapture/rephotographs';
import { loadPortrait, loadSelfie } from '../../../scripts/demo/photos';
import { createPicturePdf } from '../../support/identity/crafted-files';
import { photographDisplay, photographOriginal, photographPrint } from '../../support/identity/specimen-captures';
import { makeSpecimenPassport } from '../../support/identity/specimen-passports';
import { drawSpecimen, simulatePhotograph } from '../../support/identity/specimens';
import { createTestEngine, describeEngine } from '../../support/identity/vision-engine';
import type { TestEngine } from '../../support/identity/vision-engine';

const TODAY = '2026-06-15';

const CONTENT: MrzContent = {
  documentCode: 'I',
  issuingState: 'UTO',
  nationality: 'UTO',
  name: 'MARTINSDOTTER<<KLARA<EMILIA',
  documentNumber: 'X42K90617',
  dateOfBirth: '910723',
  sex: 'F',
  expiryDate: '310110',
};

describeEngine('the vision engine', () => {
  let engine: TestEngine;
  let passport: Buffer;

  beforeAll(async () => {
    engine = await createTestEngine();
    passport = await makeSpecimenPassport();
  });

  afterAll(() => engine.close());

  test.each([
    ['display is found', photographDisplay, ['screen_capture_suspected']],
    ['print is found', photographPrint, ['printed_copy_suspected']],
    ['document is accepted', photographOriginal, []],
  ])('in a PDF, too, a photographed %s', async (_name, photographPage, expected) => {
    const photograph = await photographPage(passport);
    const { width, height } = await sharp(photograph).metadata();
    const { risks } = await engine.readDocument({ front: createPicturePdf(photograph, width, height), today: TODAY });
    expect(risks.map(({ code }) => code).filter((code) => /screen_capture|printed_copy/.test(code))).toEqual(expected);
  });

  test('self-test processes an image', async () => {
    expect((await engine.selfTest()).durationMs).toBeGreaterThanOrEqual(0);
  });

  test('reads every field of a passport from zone and print', async () => {
    const result = await engine.readDocument({ front: passport, today: TODAY });
    expect(result).toMatchObject({
      documentType: 'passport',
      issuingState: 'UTO',
      documentNumber: 'X42K90617',
      fullName: 'KLARA EMILIA MARTINSDOTTER',
      dateOfBirth: '1991-07-23',
      age: 34,
      sex: 'F',
      issueDate: '2021-01-11',
      expiryDate: '2031-01-10',
      mrz: { format: 'TD3', valid: true, repaired: false },
      risks: [],
      status: 'approved',
    });
    for (const name of ['documentNumber', 'lastName', 'firstName', 'dateOfBirth', 'expiryDate']) {
      const sources = result.fields.filter((field) => field.name === name);
      expect(sources.map(({ source, agrees }) => [source, agrees])).toEqual([
        ['mrz', true],
        ['visual', true],
      ]);
    }
    expect(result.portrait?.box.width).toBeGreaterThan(100);
    expect(result.models.every(({ sha256 }) => sha256.length === 64)).toBe(true);
  });

  test.each([90, 180, 270])(
    'reads a passport rotated by %d degrees, with boxes in the uploaded image',
    async (turn) => {
      const image = await simulatePhotograph(passport, { turn });
      const result = await engine.readDocument({ front: image, today: TODAY });
      expect(result).toMatchObject({ documentNumber: 'X42K90617', mrz: { valid: true }, status: 'approved' });
      expect(result.sides[0]?.rotation).toBe(360 - turn);
      const portrait = await sharp(image)
        .extract({
          left: result.portrait?.box.x ?? 0,
          top: result.portrait?.box.y ?? 0,
          width: result.portrait?.box.width ?? 1,
          height: result.portrait?.box.height ?? 1,
        })
        .jpeg()
        .toBuffer();
      const { similarity } = await engine.matchFaces(portrait, passport, { refIsDocument: true });
      expect(similarity).toBeGreaterThan(0.7);
    },
  );

  test('reads a passport lying at an angle on a table', async () => {
    const image = await simulatePhotograph(passport, { turn: 7, margin: 300, blur: 0.8, quality: 70 });
    const result = await engine.readDocument({ front: image, today: TODAY });
    expect(result).toMatchObject({ documentNumber: 'X42K90617', mrz: { valid: true }, status: 'approved' });
  });

  test('reads a passport that fills a small part of the image, including its portrait', async () => {
    const small = await sharp(passport).resize(1080).toBuffer();
    const table = sharp({ create: { width: 3600, height: 2700, channels: 3, background: '#976' } });
    const image = await table
      .composite([{ input: small, left: 2100, top: 1500 }])
      .jpeg({ quality: 80 })
      .toBuffer();
    const result = await engine.readDocument({ front: image, today: TODAY });
    expect(result).toMatchObject({ documentNumber: 'X42K90617', mrz: { valid: true }, status: 'approved' });
    expect(result.portrait?.box.x).toBeGreaterThan(2100);
  });

  test('sends a document without a zone to review', async () => {
    const printed: [string, string][] = [
      ['DRIVING LICENCE', 'UTOPIA'],
      ['Surname', 'MARTINSDOTTER'],
      ['Given names', 'KLARA EMILIA'],
      ['Date of birth', '23.07.1991'],
    ];
    const drawn = await drawSpecimen({
      format: 'TD1',
      content: CONTENT,
      printed,
      portrait: await loadPortrait('anna'),
    });
    const front = await sharp(drawn.image).extract({ left: 0, top: 0, width: 1012, height: 380 }).toBuffer();
    const result = await engine.readDocument({ front, today: TODAY });
    expect(result).toMatchObject({
      documentType: 'driving_licence',
      lastName: 'MARTINSDOTTER',
      status: 'review',
      mrz: null,
    });
    expect(result.risks.map(({ code }) => code)).toContain('print_unverified');
  });

  test('reports a blurred passport', async () => {
    const result = await engine.readDocument({ front: await simulatePhotograph(passport, { blur: 6 }), today: TODAY });
    expect(result.risks.map(({ code }) => code)).toContain('image_blurred');
    expect(result.status).toBe('recapture');
  });

  test('declines an expired passport', async () => {
    const result = await engine.readDocument({ front: passport, today: '2031-01-11' });
    expect(result.status).toBe('declined');
    expect(result.risks.map(({ code }) => code)).toEqual(['document_expired']);
  });

  test.each<MrzFormat>(['TD1', 'TD2', 'TD3', 'MRVA', 'MRVB'])('reads a zone of layout %s exactly', async (format) => {
    const documentCode = format === 'TD3' ? 'P' : format.startsWith('MRV') ? 'V' : 'I';
    const { image, lines } = await drawSpecimen({ format, content: { ...CONTENT, documentCode } });
    const { mrz } = await engine.readDocument({ front: image, today: TODAY });
    expect(mrz).toMatchObject({ format, lines, valid: true, repaired: false });
  });

  test('finds the zone on the back and the portrait on the front, in either order', async () => {
    const printed: [string, string][] = [
      ['IDENTITY CARD', 'UTOPIA'],
      ['Surname', 'MARTINSDOTTER'],
      ['Given names', 'KLARA EMILIA'],
      ['Date of birth', '23.07.1991'],
    ];
    const { image: back } = await drawSpecimen({ format: 'TD1', content: CONTENT });
    const front = await sharp({ create: { width: 1012, height: 638, channels: 3, background: '#dfe6ea' } })
      .composite([
        {
          input: await sharp(
            (await drawSpecimen({ format: 'TD1', content: CONTENT, printed, portrait: await loadPortrait('anna') }))
              .image,
          )
            .extract({ left: 0, top: 0, width: 1012, height: 380 })
            .toBuffer(),
          left: 0,
          top: 0,
        },
      ])
      .jpeg()
      .toBuffer();
    const straight = await engine.readDocument({ front, back, today: TODAY });
    expect(straight).toMatchObject({
      documentType: 'identity_card',
      mrz: { side: 'back', valid: true },
      portrait: { side: 'front' },
    });
    expect(straight.fields.find(({ name, source }) => name === 'dateOfBirth' && source === 'visual')?.agrees).toBe(
      true,
    );
    const swapped = await engine.readDocument({ front: back, back: front, today: TODAY });
    expect(swapped).toMatchObject({ documentNumber: 'X42K90617', mrz: { side: 'front' }, portrait: { side: 'back' } });
    const alone = await engine.readDocument({ front: back, today: TODAY });
    expect(alone.risks.map(({ code }) => code)).toContain('wrong_side');
  });

  test('reports print that contradicts the zone', async () => {
    const printed: [string, string][] = [
      ['Passport No.', 'X42K90617'],
      ['Surname', 'MARTINSDOTTER'],
      ['Date of birth', '23.07.1981'],
      ['Date of expiry', '10.01.2031'],
    ];
    const { image } = await drawSpecimen({
      format: 'TD3',
      content: { ...CONTENT, documentCode: 'P' },
      printed,
      portrait: await loadPortrait('anna'),
    });
    const result = await engine.readDocument({ front: image, today: TODAY });
    expect(result.risks).toContainEqual(
      expect.objectContaining({ code: 'mrz_visual_mismatch', details: { fields: 'dateOfBirth' } }),
    );
    expect(result.status).toBe('review');
  });

  test('recognises no document in a plain image', async () => {
    const image = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#888' } })
      .jpeg()
      .toBuffer();
    const result = await engine.readDocument({ front: image, today: TODAY });
    expect(result.risks.map(({ code }) => code)).toContain('document_not_recognised');
    expect(result.status).toBe('declined');
  });

  test('matches a person only with their own document', async () => {
    const own = await engine.matchFaces(await loadSelfie('anna'), passport, { refIsDocument: true });
    expect(own).toMatchObject({ match: true, status: 'approved', risks: [] });
    const other = await engine.matchFaces(await loadSelfie('clara'), passport, { refIsDocument: true });
    expect(other).toMatchObject({ match: false, status: 'declined' });
    expect(other.risks.map(({ code }) => code)).toEqual(['face_mismatch']);
  });

  test.each([
    ['smaller and compressed', (photo: sharp.Sharp) => photo.resize(260).jpeg({ quality: 40 })],
    ['brighter and without colour', (photo: sharp.Sharp) => photo.linear(0.8, 40).greyscale().jpeg()],
    ['cropped', (photo: sharp.Sharp) => photo.extract({ left: 30, top: 30, width: 320, height: 400 }).jpeg()],
    ['tilted', (photo: sharp.Sharp) => photo.rotate(7, { background: '#555' }).jpeg()],
    ['mirrored', (photo: sharp.Sharp) => photo.flop().jpeg()],
  ])('recognises the portrait of the document as the same picture, %s', async (_change, change) => {
    const copy = await change(sharp(await loadPortrait('anna'))).toBuffer();
    const result = await engine.matchFaces(copy, passport, { refIsDocument: true });
    expect(result.captureCorrelation).toBeGreaterThan(0.92);
    expect(result).toMatchObject({ match: true, status: 'review', risks: [{ code: 'same_capture' }] });
  });

  test.each(['display', 'print'] as const)(
    'recognises the portrait of the document as the same picture, photographed from a %s',
    async (kind) => {
      const copy = await rephotographPortrait(await loadPortrait('anna'), kind, 3);
      const result = await engine.matchFaces(copy, passport, { refIsDocument: true });
      expect(result.captureCorrelation).toBeGreaterThan(0.92);
      expect(result.risks.map(({ code }) => code)).toContain('same_capture');
      expect(result.status).toBe('review');
    },
  );

  test('does not take another photograph of the person for the same picture', async () => {
    const own = await engine.matchFaces(await loadSelfie('anna'), passport, { refIsDocument: true });
    expect(own.captureCorrelation).toBeLessThan(0.85);
    const known = { body: await loadPortrait('clara'), onDocument: false };
    const { correlations } = await engine.compareCaptures(await loadSelfie('clara'), [known]);
    expect(correlations).toEqual([expect.closeTo(1, 1)]);
  });

  test('matches a rotated selfie', async () => {
    const result = await engine.matchFaces(await loadSelfie('clara', { turn: 90 }), await loadPortrait('clara'));
    expect(result).toMatchObject({ match: true, userImage: { rotation: 270 } });
  });

  test('reports which image has no face', async () => {
    const empty = await sharp({ create: { width: 400, height: 400, channels: 3, background: '#777' } })
      .png()
      .toBuffer();
    const result = await engine.matchFaces(empty, passport, { refIsDocument: true });
    expect(result).toMatchObject({ score: null, similarity: null, match: false, status: 'declined' });
    expect(result.risks.map(({ code }) => code)).toEqual(['no_face_in_user_image']);
    expect((await engine.analyseLiveness(empty)).result.risks.map(({ code }) => code)).toEqual(['no_face']);
  });

  test('approves the liveness of an ordinary photograph and returns every part of the score', async () => {
    const { result } = await engine.analyseLiveness(await loadSelfie('clara'));
    expect(result).toMatchObject({ method: 'passive', status: 'approved', risks: [] });
    expect(result.score).toBeGreaterThan(result.thresholds.review);
    expect(Object.keys(result.parts ?? {})).toHaveLength(7);
  });

  test.each([
    ['face_too_small', { width: 110 }, 0],
    ['face_low_quality', {}, 5],
  ])('raises %s for a poor selfie', async (code, alteration, blur) => {
    const selfie = await loadSelfie('anna', alteration);
    const image = blur === 0 ? selfie : await sharp(selfie).blur(blur).toBuffer();
    expect((await engine.analyseLiveness(image)).result.risks.map((risk) => risk.code)).toContain(code);
  });

  test.each([
    ['a mask', 'mouth_covered', '<rect x="28%" y="53%" width="42%" height="28%" rx="50" fill="#a9cbe0"/>'],
    [
      'sunglasses',
      'eyes_covered',
      '<rect x="32%" y="37%" width="15%" height="14%" rx="20"/><rect x="49%" y="40%" width="16%" height="14%" rx="20"/>',
    ],
  ])('raises face_low_quality for %s and names the part', async (_what, part, shapes) => {
    const selfie = await loadSelfie('clara');
    const { width = 0, height = 0 } = await sharp(selfie).metadata();
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes}</svg>`;
    const image = await sharp(selfie)
      .composite([{ input: Buffer.from(svg) }])
      .jpeg()
      .toBuffer();
    const { result } = await engine.analyseLiveness(image);
    expect(result.quality?.covered).toContain(part);
    expect(result.risks.map(({ code }) => code)).toContain('face_low_quality');
    expect((await engine.analyseLiveness(selfie)).result.quality?.covered).toEqual([]);
  });

  test('returns the same result for the same bytes', async () => {
    const [first, second] = await Promise.all([
      engine.readDocument({ front: passport, today: TODAY }),
      engine.readDocument({ front: passport, today: TODAY }),
    ]);
    expect(second).toEqual(first);
  });

  test('rejects bytes it cannot decode, and continues', async () => {
    await expect(engine.analyseLiveness(Buffer.from('no image'))).rejects.toMatchObject({
      code: 'image_unreadable',
      status: 400,
    });
    await expect(engine.analyseLiveness(passport.subarray(0, passport.length / 2))).rejects.toMatchObject({
      code: 'image_unreadable',
    });
    expect((await engine.embed(await loadSelfie('anna'))).embedding).toHaveLength(512);
  });
});
