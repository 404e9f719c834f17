import fc from 'fast-check';
import { parsePrintedDates } from '../../../../domain/identity/documents/printed-dates';
import { addressesAgree } from '../../../../domain/identity/documents/poa/comparison';
import { detectDateOrder } from '../../../../domain/identity/documents/poa/dates';
import { detectLanguage } from '../../../../domain/identity/documents/poa/language';
import type { TextPiece } from '../../../../domain/identity/documents/poa/layout';
import { parseLocality } from '../../../../domain/identity/documents/poa/locality';
import { parseProof } from '../../../../domain/identity/documents/poa/parse';
import { parsePersonName } from '../../../../domain/identity/documents/poa/person-name';
import { isForeignScript, toAsciiDigits, toWesternThaiDates } from '../../../../domain/identity/documents/poa/scripts';
import { TESSERACT_LETTERS } from '../../../support/identity/script-letters';
import { SCRIPT_LETTERS, WINDOW_LETTERS } from '../../../support/identity/window-letters';
import type { Letter } from '../../../support/identity/letters';

const TODAY = '2026-06-15';

/** Lines of a letter, 10 units high at a distance of 13; an empty line leaves a gap. */
const toTextPieces = (text: string): TextPiece[] =>
  text.split('\n').flatMap((line, index) =>
    line.trim() === ''
      ? []
      : [
          {
            text: line.trim(),
            page: 0,
            left: 50 + line.search(/\S/) * 5,
            top: index * 13,
            right: 50 + line.length * 5,
            bottom: index * 13 + 10,
            confidence: 1,
          },
        ],
  );

/** The pieces of a letter, placed as `printLetters` prints it: millimetres on A4. */
function layOutLetter({ sender, senderLines = [], recipient, window, title, facts, body }: Letter): TextPiece[] {
  const pieces: TextPiece[] = [];
  let top = 18;
  const add = (text: string, left: number, height: number): void => {
    const width = text.length * height * 0.55;
    pieces.push({ text, page: 0, left, top, right: left + width, bottom: top + height, confidence: 1 });
  };
  const addLines = (texts: readonly string[], left: number, height: number): void => {
    for (const text of texts) {
      add(text, left, height);
      top += height * 1.45;
    }
  };
  addLines([sender], 22, 6.7);
  top += 5;
  addLines(senderLines, 22, 3.2);
  top += 14;
  const left = window?.side === 'right' ? 114 : 22;
  addLines(window?.returnLine === undefined ? [] : [window.returnLine], left, 2.5);
  addLines(recipient, left, 3.9);
  top += 12;
  addLines([title], 22, 5);
  top += 5;
  for (const [caption, value] of facts) {
    add(caption, 22, 3.9);
    add(value, 80, 3.9);
    top += 7;
  }
  top += 7;
  addLines(body.match(/.{1,90}(?:\s|$)/gu) ?? [], 22, 3.9);
  return pieces;
}

const LETTERS: Record<string, { text: string; expected: object }> = {
  'a British water bill': {
    text: `NORTHERN RIVERS WATER PLC\n\nMrs Klara Martinsdotter\nFlat 2\n14 Larkfield Road\nLeeds\nLS6 2AB\n\nYour water and sewerage bill\nBill date: 12 March 2026\nPayment due by 2 April 2026\nMeter readings from 1 December 2025 to 28 February 2026\nThe total of your account is £84.20. Please pay with this number.`,
    expected: {
      documentType: 'utility_bill',
      issuer: 'NORTHERN RIVERS WATER PLC',
      issueDate: '2026-03-12',
      language: 'en',
      name: 'Klara Martinsdotter',
      address: { street: 'Flat 2, 14 Larkfield Road', city: 'Leeds', postalCode: 'LS6 2AB', country: 'GBR' },
    },
  },
  'an American bank statement': {
    text: `First Prairie Bank Corp\n100 Commerce Plaza, Springfield, IL 62701\n\nKLARA MARTINSDOTTER\n2415 1ST AVE APT 4\nSACRAMENTO, CA 95818-1234\n\nStatement Date: 05/04/2026\nAccount statement for your checking account\nOpening balance $1,204.11\nDeposits and withdrawals from 04/05/2026 to 05/04/2026\nClosing balance $998.00`,
    expected: {
      documentType: 'bank_statement',
      issuer: 'First Prairie Bank Corp',
      issueDate: '2026-05-04',
      name: 'KLARA MARTINSDOTTER',
      address: {
        street: '2415 1ST AVE APT 4',
        city: 'SACRAMENTO',
        region: 'CA',
        postalCode: '95818-1234',
        country: 'USA',
      },
    },
  },
  'a German bill': {
    text: `Stadtwerke Musterheim GmbH\nKraftwerkstraße 1, 10115 Berlin\n\nFrau\nKlara Martinsdotter\nLindenallee 27b\n10437 Berlin\n\nIhre Rechnung für Strom und Wasser\nRechnungsdatum: 03.05.2026\nFällig am 20.05.2026\nVerbrauch 412 kWh, Zähler 88123, für die Zeit vom 01.04.2026 bis 30.04.2026`,
    expected: {
      documentType: 'utility_bill',
      issuer: 'Stadtwerke Musterheim GmbH',
      issueDate: '2026-05-03',
      language: 'de',
      name: 'Klara Martinsdotter',
      address: { street: 'Lindenallee 27b', city: 'Berlin', postalCode: '10437', country: 'DEU' },
    },
  },
  'a Spanish bill': {
    text: `Luz del Valle Energía, S.A.\n\nDña. Klara Martinsdotter\nC/ Alcalá 120, 3º B\n28009 Madrid\n\nFactura de electricidad de su suministro\nFecha de emisión: 4 de mayo de 2026\nFecha de vencimiento: 25 de mayo de 2026\nTitular del contrato: Klara Martinsdotter\nConsumo de la energía 210 kWh, potencia contratada, con los datos del contador y una cuenta`,
    expected: {
      documentType: 'utility_bill',
      issueDate: '2026-05-04',
      language: 'es',
      address: { street: 'C/ Alcalá 120, 3º B', city: 'Madrid', postalCode: '28009', country: 'ESP' },
    },
  },
  'a French tax letter': {
    text: `DIRECTION GÉNÉRALE DES FINANCES PUBLIQUES\n\nMme Klara Martinsdotter\n12 bis rue des Lilas\n69003 LYON\n\nAvis d'imposition\nDate d'émission : 02/04/2026\nVous devez payer votre impôt avant le 15/05/2026\nLes sommes dues pour votre adresse sont dans le compte et avec les impôts`,
    expected: {
      documentType: 'government_letter',
      issuer: 'DIRECTION GÉNÉRALE DES FINANCES PUBLIQUES',
      issueDate: '2026-04-02',
      language: 'fr',
      name: 'Klara Martinsdotter',
      address: { street: '12 bis rue des Lilas', city: 'LYON', postalCode: '69003', country: 'FRA' },
    },
  },
  'a form with captions': {
    text: `Maple Grove Hydro Inc.\n\nCustomer: Klara Martinsdotter\nService address: 88 Birch Crescent, Toronto, ON M4C 1B5\nInvoice date: May 9, 2026\nYour electricity bill and the meter of your account with tariff`,
    expected: {
      documentType: 'utility_bill',
      issueDate: '2026-05-09',
      name: 'Klara Martinsdotter',
      address: { street: '88 Birch Crescent', city: 'Toronto', region: 'ON', postalCode: 'M4C 1B5', country: 'CAN' },
    },
  },
};

describe('a proof of address', () => {
  test.each(Object.entries(LETTERS))('is parsed: %s', (_what, { text, expected }) => {
    expect(parseProof(toTextPieces(text), TODAY)).toMatchObject(expected);
  });

  test.each(Object.keys(WINDOW_LETTERS))('for a window envelope is read from its recipient: %s', (country) => {
    const { letter, expected } = WINDOW_LETTERS[country] ?? { letter: undefined, expected: undefined };
    expect(letter && parseProof(layOutLetter(letter), TODAY)).toMatchObject(expected ?? {});
  });

  test('whose recipient has no legible name has their address, not that of its supplier', () => {
    const letter = WINDOW_LETTERS['US']?.letter;
    const recipient = ['KLARAMARTINSDOTTER', ...(letter?.recipient.slice(1) ?? [])];
    expect(letter && parseProof(layOutLetter({ ...letter, recipient }), TODAY)).toMatchObject({
      name: null,
      address: { postalCode: '95818-1234' },
    });
  });

  test('in Russian is read', () => {
    expect(parseProof(layOutLetter(SCRIPT_LETTERS.russian), TODAY)).toMatchObject({
      language: 'ru',
      name: 'Мартинсдоттер Клара Эмильевна',
      issueDate: '2026-05-04',
      address: { street: 'ул. Лесная, д. 5, кв. 12', city: 'г. Москва', postalCode: '125047', country: 'RUS' },
    });
  });

  test('in a script that is not parsed is recognised as such', () => {
    const text = layOutLetter(SCRIPT_LETTERS.chinese).map((piece) => piece.text);
    expect(isForeignScript(text.join('\n'))).toBe(true);
  });

  test.each(Object.entries(TESSERACT_LETTERS))(
    'in %s has name, address and date, with digits written as 0 to 9',
    (_language, { letter, expected }) => {
      const { direction } = letter;
      const pieces = layOutLetter(letter).map((piece) => ({
        ...piece,
        ...(direction === 'rtl' ? { left: 210 - piece.right, right: 210 - piece.left } : {}),
      }));
      expect(isForeignScript(pieces.map(({ text }) => text).join('\n'))).toBe(false);
      expect(parseProof(pieces, TODAY)).toMatchObject(expected);
    },
  );

  test.each([
    ['الرياض ١٢٢٥١', { city: 'الرياض', postalCode: '12251' }],
    ['लखनऊ - २२६००१', { city: 'लखनऊ', postalCode: '226001', country: 'IND' }],
    ['จังหวัดเชียงใหม่ ๕๐๐๐๐', { city: 'เชียงใหม่', postalCode: '50000', country: 'THA' }],
  ])('with digits of another script has a postal code: %s', (line, expected) => {
    expect(parseLocality(toAsciiDigits(line), null)).toMatchObject(expected);
  });

  test.each([
    ['4 พ.ค. 2569', ['2026-05-04']],
    ['4 พฤษภาคม 2569', ['2026-05-04']],
    ['4 مايو 2026', ['2026-05-04']],
    ['4 במאי 2026', ['2026-05-04']],
    ['4 मई 2026', ['2026-05-04']],
  ])('with a date in words of another script has a date: %s', (text, expected) => {
    expect(parsePrintedDates(toWesternThaiDates(text))).toEqual(expected);
  });

  test('without a date of issue has none, whatever is to be paid when', () => {
    const letter = WINDOW_LETTERS['ES']?.letter;
    const facts = letter?.facts.filter(([caption]) => caption !== 'Fecha de emisión') ?? [];
    expect(letter && parseProof(layOutLetter({ ...letter, facts }), TODAY).issueDate).toBeNull();
  });

  test('whose only address belongs to the sender has no recipient', () => {
    const text =
      'Acme Energy Ltd\n1 Power Road\nLeeds\nLS1 4AP\n\nGeneral terms of your electricity contract and the tariff';
    expect(parseProof(toTextPieces(text), TODAY)).toMatchObject({ name: null, address: null });
  });

  test('never throws for any content', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        (text) => void parseProof(toTextPieces(text), TODAY),
      ),
    );
  });
});

describe('a line with code and town', () => {
  test.each([
    ['1012 AB Amsterdam', 'nl', 'NLD', 'Amsterdam', '1012 AB'],
    ['00-950 Warszawa', 'pl', 'POL', 'Warszawa', '00-950'],
    ['1200-195 Lisboa', 'pt', 'PRT', 'Lisboa', '1200-195'],
    ['00184 Roma RM', 'it', 'ITA', 'Roma', '00184'],
    ['A-1010 Wien', 'de', 'AUT', 'Wien', '1010'],
    ['CH-8001 Zürich', 'de', 'CHE', 'Zürich', '8001'],
    ['75008 Paris CEDEX 08', 'fr', 'FRA', 'Paris', '75008'],
    ['Sydney NSW 2000', 'en', 'AUS', 'Sydney', '2000'],
    ['London SW1A 1AA', 'en', 'GBR', 'London', 'SW1A 1AA'],
    ['Dublin 4 D04 X2K5', 'en', 'IRL', 'Dublin 4', 'D04 X2K5'],
    ['114 55 Stockholm, Sweden', null, 'SWE', 'Stockholm', '114 55'],
    ['10437 Berlin', null, null, 'Berlin', '10437'],
  ])('"%s" (%s) lies in %s', (line, language, country, city, postalCode) => {
    expect(parseLocality(line, language)).toMatchObject({ country, city, postalCode });
  });

  test.each(['Total 10437', '12 High Street', 'Invoice 2026', 'kWh 412', ''])('"%s" is not one', (line) => {
    expect(parseLocality(line, 'en')).toBeNull();
  });
});

describe('dates of letters', () => {
  test.each([
    ['March 12, 2026', '2026-03-12'],
    ['12th March 2026', '2026-03-12'],
    ['12 de marzo de 2026', '2026-03-12'],
    ['12. März 2026', '2026-03-12'],
    ['1er avril 2026', '2026-04-01'],
    ['12 maart 2026', '2026-03-12'],
    ['12 marca 2026', '2026-03-12'],
    ['2026年3月12日', '2026-03-12'],
  ])('%s is %s', (text, date) => {
    expect(parsePrintedDates(text)[0]).toBe(date);
  });

  test('are read month first if another date implies it or the address is American', () => {
    expect(detectDateOrder('05/04/2026 04/25/2026', null)).toBe('month-first');
    expect(detectDateOrder('05/04/2026 25/04/2026', 'USA')).toBe('day-first');
    expect(detectDateOrder('05/04/2026', 'USA')).toBe('month-first');
    expect(detectDateOrder('05/04/2026', 'GBR')).toBe('day-first');
  });
});

test.each([
  ['Herr Max von der Heide', 'Max von der Heide'],
  ['Mme Hélène Dupont-Marais', 'Hélène Dupont-Marais'],
  ['KLARA E. MARTINSDOTTER', 'KLARA E. MARTINSDOTTER'],
  ['Acme Energy Ltd', null],
  ['14 Larkfield Road', null],
  ['Your bill', null],
  ['Klara', null],
  ['The Occupier', null],
])('the person in "%s" is %s', (text, name) => {
  expect(parsePersonName(text)).toBe(name);
});

test.each([
  ['Bitte zahlen Sie die Rechnung für Ihre Wohnung', 'de'],
  ['Η ΔΕΗ σας ενημερώνει', 'el'],
  ['請求書の発行日', 'ja'],
  ['42 7 19', null],
])('"%s" is written in %s', (text, language) => {
  expect(detectLanguage(text)).toBe(language);
});

describe('addresses', () => {
  const read = {
    raw: '14 Larkfield Road, Leeds, LS6 2AB',
    street: '14 Larkfield Road',
    city: 'Leeds',
    region: null,
    postalCode: 'LS6 2AB',
    country: 'GBR',
  };

  test.each([
    '14 Larkfield Rd, Leeds LS62AB',
    '14 LARKFIELD ROAD, LEEDS, LS6 2AB, United Kingdom',
    '14 Larkfield Road, Leeds',
    'Leeds LS6 2AB, 14 Larkfield Road',
  ])('agree: %s', (expected) => {
    expect(addressesAgree(expected, read)).toBe(true);
  });

  test.each([
    '16 Larkfield Road, Leeds LS6 2AB',
    '14 Baker Street, London NW1 6XE',
    'Leeds',
    '14 Larkfield Road, Bradford BD1 1AA',
  ])('differ: %s', (expected) => {
    expect(addressesAgree(expected, read)).toBe(false);
  });

  test('agree with German and Spanish abbreviations', () => {
    const german = {
      raw: 'Lindenstraße 27b, 10437 Berlin',
      street: null,
      city: null,
      region: null,
      postalCode: '10437',
      country: 'DEU',
    };
    expect(addressesAgree('Lindenstr. 27b, 10437 Berlin, Deutschland', german)).toBe(true);
    expect(addressesAgree('Lindenstr. 27b, 10439 Berlin', german)).toBe(false);
    const spanish = {
      raw: 'C/ Alcalá 120, 28009 Madrid',
      street: null,
      city: null,
      region: null,
      postalCode: '28009',
      country: 'ESP',
    };
    expect(addressesAgree('Calle de Alcala 120, Madrid 28009', spanish)).toBe(true);
  });
});
