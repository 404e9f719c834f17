import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createRenderer } from '../../../../activities/rendering/renderer';
import type { Renderer } from '../../../../activities/rendering/renderer';
import { getFormats } from '../../../../domain/business/documents/formats';
import { buildPagination, renderDocumentHtml } from '../../../../activities/rendering/template/document';
import { DOCUMENT_LANGUAGES } from '../../../../domain/business/invoices/invoice';
import { toDecimalString, DOCUMENT_TEMPLATE_VERSION } from '../../../../domain/business/documents/printable-document';
import type { PrintableDocument } from '../../../../domain/business/documents/printable-document';
import { getLabels } from '../../../../domain/business/documents/labels';
import { findChromium } from '../../../support/chromium';
import {
  listFonts,
  countMissingGlyphs,
  findOverlappingRuns,
  readQrCode,
  readPageRuns,
  readPageTexts,
} from '../../../support/business/printed-pdf';
import { buildPrintableDocument } from '../../../../domain/business/documents/build-printable-document';
import { buildQrReference } from '../../../../domain/business/documents/swiss-qr-bill';
import { buildTestAddress, buildTestInvoice } from '../../../support/business/documents';
import { buildSampleDocument } from '../../../support/business/sample-document';

const IDENTITY = { issuedAt: new Date('2026-11-21T10:15:30.999Z'), contentId: 'a document' };

const SCRIPTS = [
  ['Latin', 'Łódź Žižkov İzmir Đà Nẵng Þingvellir ﬁ æøå ŵŷ', 'NotoSans'],
  ['Cyrillic', 'Ёлка Київ Ђорђе Қазақстан', 'NotoSans'],
  ['Greek', 'Ωμέγα Καφές Ἀθῆναι', 'NotoSans'],
  ['Arabic', 'شركة القهوة پارسی ۱۲۳', 'NotoSansArabic'],
  ['Hebrew', 'בית קפה שָׁלוֹם', 'NotoSansHebrew'],
  ['Thai', 'ร้านกาแฟ ก๊วยเตี๋ยว', 'NotoSansThai'],
  ['Chinese, simplified and traditional', '咖啡馆 臺灣咖啡館', 'NotoSansSC'],
  ['Japanese', '東京コーヒー ひらがな 株式会社', 'NotoSansSC'],
  ['Korean', '서울 커피 상회', 'NotoSansKR'],
  ['Devanagari', 'कॉफ़ी भंडार', 'NotoSans'],
  ['emoji', 'Café 😀 ☕ ❤️ ✅ 👍🏽 👩‍💻 🇩🇪 1️⃣ 100 % #1', 'NotoEmoji'],
] as const;

let workFolder: string;
let renderer: Renderer;

const print = (document: PrintableDocument): Promise<Buffer> =>
  renderer.renderPdf(renderDocumentHtml(document), IDENTITY, buildPagination(document));

beforeAll(async () => {
  workFolder = await mkdtemp(path.join(tmpdir(), 'vouch-page-'));
  renderer = createRenderer({
    sandbox: process.env['CHROMIUM_SANDBOX'] !== 'false',
    executablePath: await findChromium(),
    workFolder,
    pages: 1,
  });
});

afterAll(async () => {
  await renderer.close();
  await rm(workFolder, { recursive: true, force: true });
});

describe('the letters of a printed page', () => {
  test.each(SCRIPTS)('are complete in %s, from an embedded font', async (_, words, font) => {
    const bytes = await print(
      buildSampleDocument(1, 'en', { buyer: { name: words, addressLines: [words] }, notes: words }),
    );
    expect(await countMissingGlyphs(bytes)).toBe(0);
    const fonts = await listFonts(bytes);
    expect(fonts.get(font)).toBe(true);
    expect([...fonts.values()]).not.toContain(false);
  });

  test('are found to be missing if no shipped font has them', async () => {
    expect(await countMissingGlyphs(await print(buildSampleDocument(1, 'en', { notes: 'ᚠᚢᚦ' })))).toBeGreaterThan(0);
  });
});

/** The amount that follows a label on a page; null if the page does not have the label. */
const readAmountAfter = (text: string, label: string): number | null => {
  const [, amount] = new RegExp(`${label}\\s+([\\d,.]+)`).exec(text) ?? [];
  return amount === undefined ? null : Number(amount.replaceAll(',', ''));
};

describe('a long document', () => {
  test.each([
    [1, 1],
    [16, 2],
    [40, 2],
    [1000, 30],
  ])('of %i lines repeats heads and numbers its pages', async (lines, atLeast) => {
    const pages = await readPageTexts(await print(buildSampleDocument(lines)));
    expect(pages.length).toBeGreaterThanOrEqual(atLeast);
    const labels = getLabels('en');
    pages.forEach((text, index) => {
      expect(text).toContain(`Page ${index + 1} of ${pages.length}`);
      if (index > 0) expect(text).toContain('Invoice INV-2026-000042');
      if (/SKU-\d{4}/.test(text)) expect(text).toContain(labels.unitPrice);
    });
    const printed = pages.map((text) => text.match(/SKU-\d{4}/g) ?? []);
    expect(new Set(printed.flat()).size).toBe(lines);
    const subtotals = pages.map((text) =>
      [labels.broughtForward, labels.carriedForward].map((label) => readAmountAfter(text, label)),
    );
    let carried = 0;
    subtotals.forEach(([brought, forward], index) => {
      expect(brought).toBe(index === 0 ? null : carried);
      // Every line of the sample is 1,234.50.
      carried = Math.round((carried + (printed[index]?.length ?? 0) * 1234.5) * 100) / 100;
      expect(forward).toBe(index === pages.length - 1 ? null : carried);
    });
  });
});

describe('the layout', () => {
  const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';

  test('never prints totals, payment or notes on a page without a line, for any number of lines', async () => {
    const notes = 'Goods remain our property until they are paid in full. '.repeat(20);
    for (let lines = 4; lines <= 30; lines += 1) {
      const pages = await readPageTexts(await print(buildSampleDocument(lines, 'en', { notes })));
      const last = pages.at(-1) ?? '';
      const labels = getLabels('en');
      const parts = [/SKU-\d{4}/, new RegExp(labels.amountDue), /DE89 3704/, /Goods remain/];
      expect([lines, ...parts.map((part) => part.test(last))]).toEqual([lines, true, true, true, true]);
    }
  });

  test.each([
    ['of one word', long.repeat(2)],
    ['of many words', 'Gesellschaft für Kaffee und Kuchen '.repeat(5)],
  ])('keeps the foot with a long name %s clear of the page number, and inside the page', async (_, name) => {
    const { seller } = buildSampleDocument();
    const runs =
      (await readPageRuns(await print(buildSampleDocument(2, 'de', { seller: { ...seller, name } }))))[0] ?? [];
    expect(runs.map(({ text }) => text).join(' ')).toContain('Seite 1 von 1');
    expect(findOverlappingRuns(runs)).toEqual([]);
    expect(Math.max(...runs.map(({ right }) => right))).toBeLessThan(595);
  });

  test.each(DOCUMENT_LANGUAGES)(
    'does not overlap words in %s, with the largest amounts and long words',
    async (language) => {
      const most = toDecimalString('999999999999.99');
      const document = buildSampleDocument(2, language, {
        buyer: {
          name: long,
          addressLines: [long, long],
          taxId: `ES${'9'.repeat(30)}`,
          email: `${long}@kaffee.example`,
        },
        purchaseReference: 'R'.repeat(60),
        total: most,
        taxTotal: most,
        grandTotal: most,
        taxes: [
          { name: `${long} 21 %`, percent: toDecimalString('21'), taxable: most, tax: most, exemptionReason: long },
        ],
        payment: { termsText: long, iban: 'MT84MALT011000012345MTLCAST001S', bankName: long },
      });
      const lines = document.lines.map((line) => ({ ...line, name: long, unitPrice: most, net: most, unit: 'pcs' }));
      for (const runs of await readPageRuns(await print({ ...document, lines })))
        expect(findOverlappingRuns(runs)).toEqual([]);
    },
  );

  test('begins a right-to-left name where the other names begin, with its code after it', async () => {
    const lines = buildSampleDocument(1).lines.map((line) => ({ ...line, code: 'SKUSEVEN', name: 'בית קפה' }));
    const runs = (await readPageRuns(await print(buildSampleDocument(1, 'en', { lines })))).flat();
    const code = runs.find(({ text }) => text === 'SKUSEVEN');
    const name = runs.filter(({ text }) => /\p{Script=Hebrew}/u.test(text)).map(({ right }) => right);
    expect((code?.left ?? 0) - Math.max(...name)).toBeGreaterThan(3);
  });

  test('has the discounts and charges of a line right below its description', async () => {
    const adjustments = ['5', '2'].map((percent) => ({
      reason: `Volume${percent}`,
      percent: toDecimalString(percent),
      amount: toDecimalString('-61.73'),
    }));
    const lines = buildSampleDocument(1).lines.map((line) => ({
      ...line,
      name: 'Grinder',
      code: undefined,
      adjustments,
    }));
    const runs = (await readPageRuns(await print(buildSampleDocument(1, 'en', { lines })))).flat();
    const find = (word: string) => runs.find(({ text }) => text.includes(word));
    const [name, first, second] = [find('Grinder'), find('Volume5'), find('Volume2')];
    // Less than a line of text between them.
    expect((first?.top ?? Infinity) - (name?.bottom ?? 0)).toBeLessThan(7);
    expect((second?.top ?? Infinity) - (first?.bottom ?? 0)).toBeLessThan(7);
  });

  test('is supported for every version up to the current one, and for no other', async () => {
    for (let templateVersion = 1; templateVersion <= DOCUMENT_TEMPLATE_VERSION; templateVersion += 1)
      expect(await readPageTexts(await print(buildSampleDocument(1, 'en', { templateVersion })))).toHaveLength(1);
    for (const templateVersion of [0, DOCUMENT_TEMPLATE_VERSION + 1])
      expect(() => renderDocumentHtml(buildSampleDocument(1, 'en', { templateVersion }))).toThrow(/template/);
  });
});

describe('what is printed', () => {
  test.each(DOCUMENT_LANGUAGES)('has tax per rate and totals in %s', async (language) => {
    const [page] = await readPageTexts(await print(buildSampleDocument(3, language)));
    const labels = getLabels(language);
    const formats = getFormats(buildSampleDocument(3, language));
    const words = page?.replace(/\s+/gu, ' ').toLowerCase() ?? '';
    const said = [
      labels.taxSummary,
      labels.amountDue,
      formats.amount(toDecimalString('2592.45')),
      formats.money(toDecimalString('20369.25')),
    ];
    for (const each of said) expect(words).toContain(each.replace(/\s+/gu, ' ').toLowerCase());
  });

  test('has a payment code that decodes to the transfer', async () => {
    expect((await readQrCode(await print(buildSampleDocument())))?.split('\n')).toEqual([
      'BCD',
      '002',
      '1',
      'SCT',
      'COBADEFFXXX',
      'Kaffeerösterei Nordlicht GmbH',
      'DE89370400440532013000',
      'EUR20369.25',
      '',
      '',
      'INV-2026-000042',
    ]);
  });

  test('to a Swiss account ends with the payment part, whose code decodes to the QR bill', async () => {
    const invoice = buildTestInvoice();
    const address = buildTestAddress({ line1: 'Marktgasse 28', postalCode: '9400', city: 'Rorschach', country: 'CH' });
    const seller = { ...invoice.seller, iban: 'CH44 3199 9123 0008 8901 2', address };
    const earlyPaymentDiscount = { percent: '2', days: 14, until: '2026-12-05', amount: '2.38', payable: '116.62' };
    const snapshot = { ...invoice, seller, earlyPaymentDiscount, currencyCode: 'CHF', baseCurrencyCode: 'CHF' };
    const bytes = await print(buildPrintableDocument(snapshot, { logo: null, voidedOn: null }));
    const pages = await readPageTexts(bytes);
    expect(pages).toHaveLength(2);
    expect(pages[0]).toMatch(/Bei Zahlung bis 5\. Dezember 2026 2\s?%\sSkonto/);
    for (const words of ['Zahlteil', 'Empfangsschein', 'CH44 3199 9123 0008 8901 2']) expect(pages[1]).toContain(words);
    expect(await readQrCode(bytes)).toBeNull();
    expect((await readQrCode(bytes, 1))?.split(/\r?\n/).slice(0, 31)).toEqual([
      ...['SPC', '0200', '1', 'CH4431999123000889012'],
      ...['S', seller.legalName, 'Marktgasse 28', '', '9400', 'Rorschach', 'CH'],
      ...['', '', '', '', '', '', ''],
      ...['119.00', 'CHF'],
      ...['S', 'Café Ñandú, S.L.', 'Calle de la Ribera 3', '', '08003', 'Barcelona', 'ES'],
      ...['QRR', buildQrReference('2026000017'), snapshot.number, 'EPD'],
    ]);
  });

  test('of a void document has a stamp with the date and no payment instructions', async () => {
    const bytes = await print(buildSampleDocument(3, 'de', { voided: { date: '2026-11-25' } }));
    const [page] = await readPageTexts(bytes);
    expect(page).toMatch(/Storniert am 25\. November 2026/);
    expect(page).not.toContain('DE89');
    expect(await readQrCode(bytes)).toBeNull();
  });

  test.each(DOCUMENT_LANGUAGES)(
    'of a credit note in %s has the reason under its own heading, before the notes',
    async (language) => {
      const corrected = { number: 'INV-2026-000042', issueDate: '2026-11-21' };
      const words = { reason: 'Two grinders came back', notes: 'With our apologies' };
      const document = buildSampleDocument(2, language, { kind: 'credit_note', correctedInvoice: corrected, ...words });
      const [page] = await readPageTexts(await print(document));
      const { reason, notes } = getLabels(language);
      const inOrder = [reason, words.reason, notes, words.notes].map((each) =>
        page?.toLowerCase().indexOf(each.toLowerCase()),
      );
      expect(inOrder).not.toContain(-1);
      expect(inOrder).toEqual(inOrder.toSorted((a, b) => (a ?? 0) - (b ?? 0)));
    },
  );

  test('of a credit note names the corrected invoice', async () => {
    const bytes = await print(
      buildSampleDocument(2, 'fr', {
        kind: 'credit_note',
        number: 'CN-2026-000003',
        correctedInvoice: { number: 'INV-2026-000042', issueDate: '2026-11-21' },
      }),
    );
    const [page] = await readPageTexts(bytes);
    expect(page).toContain(getLabels('fr').creditNote);
    expect(page).toMatch(/INV-2026-000042\s+21 novembre 2026/);
    expect(await readQrCode(bytes)).toBeNull();
  });
});

describe('numbers', () => {
  test.each(['en-DE', 'en-FR', 'en-CH', 'en-IE', 'de-AT', 'fr-CH', 'es-ES'])(
    'have the same decimal separator on a page in %s, with and without currency',
    (locale) => {
      const formats = getFormats({ locale, currencyCode: 'EUR', currencyDecimals: 2 });
      const sign = formats.money(toDecimalString('1234.5')).replace(/^.*1\D*234(.)50.*$/u, '$1');
      expect(formats.amount(toDecimalString('1234.5'))).toMatch(new RegExp(`^1\\D*234[${sign}]50$`, 'u'));
      if (locale.startsWith('en')) expect(formats.quantity(toDecimalString('2.5'))).toBe(`2${sign}5`);
    },
  );
});
