import sharp from 'sharp';
import { loadPortrait } from '../../../scripts/demo/photos';
import { photographPages } from '../../../scripts/demo/specimen';
import { buildLicenceBack, buildLicenceFront } from '../../support/identity/cards';
import { findChromium } from '../../support/chromium';
import { LETTERS, printLetters, createScannedPdf } from '../../support/identity/letters';
import type { PrintedLetter } from '../../support/identity/letters';
import { TESSERACT_LETTERS } from '../../support/identity/script-letters';
import type { TesseractLanguage } from '../../support/identity/script-letters';
import { SCRIPT_LETTERS, WINDOW_LETTERS } from '../../support/identity/window-letters';
import { simulatePhotograph } from '../../support/identity/specimens';
import { createTestEngine, describeEngine } from '../../support/identity/vision-engine';
import type { TestEngine } from '../../support/identity/vision-engine';

const TODAY = '2026-06-15';
const ISSUED = '2026-05-04';

const EXPECTED = {
  en: {
    documentType: 'utility_bill',
    issuer: 'Northern Rivers Water plc',
    address: { street: '14 Larkfield Road', city: 'LEEDS', postalCode: 'LS6 2AB', country: 'GBR' },
  },
  de: {
    documentType: 'utility_bill',
    issuer: 'Stadtwerke Musterheim GmbH',
    address: { street: 'Lindenstraße 27b', city: 'Berlin', postalCode: '10437', country: 'DEU' },
  },
  es: {
    documentType: 'utility_bill',
    // Recognition may lose an accent.
    issuer: expect.stringMatching(/^Luz del Valle Energ[ií]a, S\.A\.$/) as string,
    address: { city: 'Madrid', postalCode: '28009', country: 'ESP' },
  },
  fr: {
    documentType: 'bank_statement',
    address: { street: '12 rue des Lilas', city: 'LYON', postalCode: '69003', country: 'FRA' },
  },
} as const;

const NOTHING: PrintedLetter = { pdf: Buffer.alloc(0), image: Buffer.alloc(0) };

type Language = keyof typeof EXPECTED;
const LANGUAGES: Language[] = ['en', 'de', 'es', 'fr'];
const TESSERACT_LANGUAGES: TesseractLanguage[] = ['arabic', 'hebrew', 'hindi', 'thai'];

describeEngine('a proof of address', () => {
  let engine: TestEngine;
  const letters = new Map<Language, PrintedLetter>();
  const letter = (language: Language): PrintedLetter => letters.get(language) ?? NOTHING;
  const windowLetters = new Map<string, PrintedLetter>();

  beforeAll(async () => {
    engine = await createTestEngine();
    const windows = Object.entries(WINDOW_LETTERS).map(([country, { letter: one }]) => [country, one] as const);
    const scripts = TESSERACT_LANGUAGES.map((language) => [language, TESSERACT_LETTERS[language].letter] as const);
    const others = [...windows, ...Object.entries(SCRIPT_LETTERS), ...scripts];
    const printed = await printLetters([
      ...LANGUAGES.map((language) => LETTERS[language](ISSUED)),
      ...others.map(([, one]) => one),
    ]);
    others.forEach(([name], index) => windowLetters.set(name, printed[LANGUAGES.length + index] ?? NOTHING));
    LANGUAGES.forEach((language, index) => {
      const one = printed[index];
      if (one !== undefined) letters.set(language, one);
    });
  });
  afterAll(() => engine.close());

  const good = (language: Language) => ({
    ...EXPECTED[language],
    language,
    issueDate: ISSUED,
    name: 'Klara Martinsdotter',
    risks: [],
    status: 'approved',
  });

  test.each(LANGUAGES)('is read from the text layer of its PDF: %s', async (language) => {
    const result = await engine.readAddressProof({ document: letter(language).pdf, today: TODAY });
    expect(result).toMatchObject({ ...good(language), source: 'text_layer', confidence: 1, models: [] });
  });

  test.each(LANGUAGES)('is read from a scan in a PDF: %s', async (language) => {
    const document = await createScannedPdf(letter(language).image);
    const result = await engine.readAddressProof({ document, today: TODAY });
    expect(result).toMatchObject({ ...good(language), source: 'recognition', pages: 1 });
    expect(result.models.map(({ role }) => role)).toContain('text_recogniser');
  });

  test.each(LANGUAGES)('is read from a photograph at an angle on a table: %s', async (language) => {
    const document = await simulatePhotograph(letter(language).image, { turn: 4, margin: 60, blur: 0.5, quality: 75 });
    expect(await engine.readAddressProof({ document, today: TODAY })).toMatchObject({
      ...good(language),
      source: 'recognition',
    });
  });

  test.each(Object.keys(WINDOW_LETTERS))('for a window envelope is read from its recipient: %s', async (country) => {
    const { pdf } = windowLetters.get(country) ?? NOTHING;
    expect(await engine.readAddressProof({ document: pdf, today: TODAY })).toMatchObject({
      ...WINDOW_LETTERS[country]?.expected,
      status: 'approved',
    });
  });

  test.each(['DE', 'ES', 'PL'])('for a window envelope is read from a scan: %s', async (country) => {
    const document = await createScannedPdf((windowLetters.get(country) ?? NOTHING).image);
    const { name, issueDate, address } = WINDOW_LETTERS[country]?.expected ?? {};
    expect(await engine.readAddressProof({ document, today: TODAY })).toMatchObject({
      name,
      issueDate,
      address: { postalCode: address?.postalCode, country: address?.country },
      status: 'approved',
    });
  });

  test('in Russian is read from its text layer', async () => {
    const { pdf } = windowLetters.get('russian') ?? NOTHING;
    expect(await engine.readAddressProof({ document: pdf, today: TODAY })).toMatchObject({
      language: 'ru',
      name: 'Мартинсдоттер Клара Эмильевна',
      address: { postalCode: '125047', country: 'RUS' },
      status: 'approved',
    });
  });

  test.each([
    ['russian', 'image'],
    ['chinese', 'image'],
    ['chinese', 'pdf'],
  ] as const)('in a script that is not read goes to review: %s, %s', async (name, form) => {
    const document = (windowLetters.get(name) ?? NOTHING)[form];
    const { risks, status } = await engine.readAddressProof({ document, today: TODAY });
    expect(risks.map(({ code }) => code)).toContain('poa_script_not_supported');
    expect(status).toBe('review');
  });

  test.each([
    ['arabic', 'pdf'],
    ['hebrew', 'photograph'],
    ['hindi', 'upside down'],
    ['thai', 'photograph'],
  ] as const)('in a script that the text recogniser lacks is read by tesseract: %s, %s', async (language, form) => {
    const { pdf, image } = windowLetters.get(language) ?? NOTHING;
    const turn = form === 'upside down' ? 180 : 2;
    const document =
      form === 'pdf' ? pdf : await simulatePhotograph(image, { turn, margin: 40, blur: 0.5, quality: 80 });
    const result = await engine.readAddressProof({ document, today: TODAY });
    expect(result).toMatchObject({
      ...TESSERACT_LETTERS[language].expected,
      source: 'recognition',
      risks: [],
      status: 'approved',
    });
    expect(result.models).toContainEqual(expect.objectContaining({ role: 'script_recogniser', version: '7.0.0' }));
  });

  test('is read when rotated by 90 degrees', async () => {
    const document = await simulatePhotograph(letter('de').image, { turn: 90 });
    expect(await engine.readAddressProof({ document, today: TODAY })).toMatchObject({
      issueDate: ISSUED,
      name: 'Klara Martinsdotter',
    });
  });

  test('is reported as of poor quality if it cannot be read', async () => {
    const document = await sharp(letter('en').image).resize(260).blur(2).jpeg({ quality: 30 }).toBuffer();
    const { risks, status } = await engine.readAddressProof({ document, today: TODAY });
    expect(risks.map(({ code }) => code)).toContain('poa_poor_quality');
    expect(status).toBe('recapture');
  });

  test.each([
    ['truncated', (pdf: Buffer) => pdf.subarray(0, 300), 'pdf_unreadable'],
    [
      'with invalid content after its signature',
      () => Buffer.from(`%PDF-1.7\n${'x'.repeat(500)}\n%%EOF`),
      'pdf_unreadable',
    ],
  ])('in a PDF %s is rejected with an error code', async (_what, make, code) => {
    await expect(engine.readAddressProof({ document: make(letter('en').pdf), today: TODAY })).rejects.toMatchObject({
      code,
      status: 400,
    });
  });

  test('an identity document scanned into a PDF, one side per page, is read', async () => {
    const pages = [buildLicenceFront(await loadPortrait('anna')), await buildLicenceBack()];
    const [front, back] = await photographPages(pages, { chromiumPath: await findChromium() });
    const result = await engine.readDocument({
      front: await createScannedPdf(front ?? Buffer.alloc(0), back ?? Buffer.alloc(0)),
      today: TODAY,
    });
    expect(result).toMatchObject({
      documentType: 'driving_licence',
      documentNumber: 'Y4217906',
      barcode: { valid: true, side: 'front' },
      portrait: { side: 'front' },
      status: 'approved',
    });
  });
});
