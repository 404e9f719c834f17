import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PDFDocument } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { launchBrowser } from '../../../activities/rendering/browser';
import { writeFontConfiguration } from '../../../activities/rendering/fonts';
import { findChromium } from '../chromium';
import { MINUTE_MS } from '../../../domain/durations';

/** A letter as a PDF with a text layer, and the same page as an image. */
export interface PrintedLetter {
  pdf: Buffer;
  /** PNG, A4 at 150 dpi */
  image: Buffer;
}

/** Content of a letter; each part has one or more lines. */
export interface Letter {
  /** @default ltr */
  direction?: 'rtl';
  sender: string;
  senderAddress: string;
  recipient: string[];
  title: string;
  /** further lines of the sender above the recipient, as some countries print them */
  senderLines?: string[];
  /** the recipient in the window of an envelope, with the return address above */
  window?: { side: 'left' | 'right'; returnLine?: string };
  /** captions with their values, printed in two columns */
  facts: [caption: string, value: string][];
  body: string;
}

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const renderRecipient = ({ recipient, window }: Pick<Letter, 'recipient' | 'window'>): string => {
  const returnLine = window?.returnLine === undefined ? '' : `<small>${escapeHtml(window.returnLine)}</small>`;
  return `<div class="to ${window?.side ?? ''}">${returnLine}${recipient.map(escapeHtml).join('<br>')}</div>`;
};

const renderLetter = ({
  sender,
  senderAddress,
  senderLines = [],
  title,
  facts,
  body,
  direction,
  ...to
}: Letter): string => `<!doctype html><html dir="${direction ?? 'ltr'}">
<meta charset="utf-8"><style>
  @page { size: A4; margin: 0 } * { margin: 0; box-sizing: border-box }
  body { font: 11pt/1.45 'Noto Sans'; width: 210mm; height: 296mm; padding: 18mm 22mm; background: #fff; color: #1a1a1a }
  header { border-bottom: 2px solid #2a5; padding-bottom: 4mm } header b { font-size: 19pt; color: #175 } header p { font-size: 8.5pt }
  .to { margin: 14mm 0 12mm } .right { margin-left: 92mm } small { display: block; font-size: 7pt; text-decoration: underline }
  .sender { font-size: 9pt; margin-top: 5mm } h1 { font-size: 14pt; margin-bottom: 5mm }
  table { border-collapse: collapse; margin: 4mm 0 7mm } td { padding: 1mm 0; padding-inline-end: 14mm }
</style><header><b>${escapeHtml(sender)}</b><p>${escapeHtml(senderAddress)}</p></header>
<div class="sender">${senderLines.map(escapeHtml).join('<br>')}</div>${renderRecipient(to)}<h1>${escapeHtml(title)}</h1>
<table>${facts.map(([caption, value]) => `<tr><td>${escapeHtml(caption)}</td><td>${escapeHtml(value)}</td></tr>`).join('')}</table>
<p>${escapeHtml(body)}</p>`;

/** Prints letters in Chromium. */
export async function printLetters(letters: readonly Letter[]): Promise<PrintedLetter[]> {
  const home = await mkdtemp(path.join(tmpdir(), 'vouch-letters-'));
  const browser = await launchBrowser({
    executablePath: await findChromium(),
    fontConfiguration: await writeFontConfiguration(home),
    workFolder: home,
    sandbox: process.env['CHROMIUM_SANDBOX'] !== 'false',
    responseTimeoutMs: MINUTE_MS,
  });
  try {
    const page = await browser.newPage();
    await page.setViewport({ width: 794, height: 1123, deviceScaleFactor: 1.5625 });
    const printed: PrintedLetter[] = [];
    for (const letter of letters) {
      await page.setContent(renderLetter(letter), { waitUntil: 'load' });
      await page.evaluate('document.fonts.ready');
      printed.push({
        pdf: Buffer.from(await page.pdf({ format: 'A4' })),
        image: Buffer.from(await page.screenshot({ type: 'png' })),
      });
    }
    return printed;
  } finally {
    await browser.close();
    await rm(home, { recursive: true, force: true });
  }
}

/** A PDF with images as its pages and without a text layer, as scanners produce. */
export async function createScannedPdf(...scans: Buffer[]): Promise<Buffer> {
  const document = await PDFDocument.create();
  for (const scan of scans) {
    const image = await document.embedJpg(
      await sharp(scan).flatten({ background: '#fff' }).jpeg({ quality: 80 }).toBuffer(),
    );
    const page = document.addPage([595, 842]);
    const scale = Math.min(535 / image.width, 780 / image.height);
    page.drawImage(image, {
      x: 30,
      y: 820 - image.height * scale,
      width: image.width * scale,
      height: image.height * scale,
    });
  }
  return Buffer.from(await document.save());
}

const formatDate = (iso: string, locale: string): string =>
  new Date(`${iso}T12:00:00Z`).toLocaleDateString(locale, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });

/** One letter in each of four languages to the same person, each with another address. */
export const LETTERS = {
  en: (issued: string, to = 'Mrs Klara Martinsdotter'): Letter => ({
    sender: 'Northern Rivers Water plc',
    senderAddress: 'Registered office: 1 Reservoir Way, Leeds LS1 4AP · Customer services 0345 000 0000',
    recipient: [to, '14 Larkfield Road', 'LEEDS', 'LS6 2AB'],
    title: 'Your water and sewerage bill',
    facts: [
      ['Customer number', '4417 0092 881'],
      ['Bill date', formatDate(issued, 'en-GB')],
      ['Payment due by', formatDate('2031-01-02', 'en-GB')],
      ['Amount due', '£84.20'],
    ],
    body: 'This bill is for the water we supplied to your home and for taking your waste water away. Please pay the amount due by the date shown, and quote your customer number. Your meter was read by our engineer.',
  }),
  de: (issued: string, to = 'Frau Klara Martinsdotter'): Letter => ({
    sender: 'Stadtwerke Musterheim GmbH',
    senderAddress: 'Kraftwerkstraße 1, 10115 Berlin · Telefon 030 000000',
    recipient: [to, 'Lindenstraße 27b', '10437 Berlin'],
    title: 'Ihre Rechnung für Strom',
    facts: [
      ['Kundennummer', '881 2240'],
      ['Rechnungsdatum', issued.split('-').reverse().join('.')],
      ['Zählernummer', '55 1200 77'],
      ['Betrag', '76,40 €'],
    ],
    body: 'Sehr geehrte Frau Martinsdotter, für die Lieferung von Strom berechnen wir Ihnen den unten stehenden Betrag. Der Verbrauch von 212 kWh wurde mit dem Zähler gemessen. Bitte zahlen Sie die Rechnung auf das Konto der Stadtwerke.',
  }),
  es: (issued: string, to = 'Dña. Klara Martinsdotter'): Letter => ({
    sender: 'Luz del Valle Energía, S.A.',
    senderAddress: 'Paseo de la Ribera 5, 41001 Sevilla · Atención al cliente 900 000 000',
    recipient: [to, 'Calle Alcalá 120, 3º B', '28009 Madrid'],
    title: 'Factura de electricidad',
    facts: [
      ['Número de factura', 'E-2209911'],
      ['Fecha de emisión', formatDate(issued, 'es-ES')],
      ['Potencia contratada', '4,6 kW'],
      ['Importe total', '58,11 €'],
    ],
    body: 'El importe de esta factura corresponde a la energía suministrada en su vivienda durante el periodo indicado. El consumo de 190 kWh se ha medido con el contador. Puede consultar los datos de su contrato en nuestra oficina.',
  }),
  fr: (issued: string, to = 'Mme Klara Martinsdotter'): Letter => ({
    sender: 'Banque des Alpes S.A.',
    senderAddress: '2 place du Marché, 38000 Grenoble',
    recipient: [to, '12 rue des Lilas', '69003 LYON'],
    title: 'Relevé de compte',
    facts: [
      ['IBAN', 'FR76 0000 0000 0000 0000 0000 000'],
      ["Date d'émission", formatDate(issued, 'fr-FR')],
      ['Solde', '1 204,11 €'],
    ],
    body: 'Madame, vous trouverez dans ce relevé les opérations de votre compte et le solde à ce jour. Pour toute question, les conseillers de votre agence sont à votre disposition avec plaisir.',
  }),
} satisfies Record<string, (issued: string, to?: string) => Letter>;
