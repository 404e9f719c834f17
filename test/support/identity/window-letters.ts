import type { Letter } from './letters';

/** A letter for a window envelope as it is usual in a country, and what is read from it. */
export interface WindowLetter {
  letter: Letter;
  expected: {
    name: string;
    issueDate: string;
    address: { street: string; city: string; postalCode: string; country: string };
  };
}

const ISSUED = '2026-05-04';

/** One bill per country, each with the address of its supplier and with dates of payment in addition to its own date. */
export const WINDOW_LETTERS: Record<string, WindowLetter> = {
  DE: {
    letter: {
      sender: 'Stadtwerke Musterheim',
      senderAddress: 'Service 030 000000',
      window: { side: 'left', returnLine: 'Stadtwerke Musterheim · Kraftwerkstraße 1 · 10115 Berlin' },
      recipient: ['Frau', 'Klara Martinsdotter', 'Lindenstraße 27b', '10437 Berlin'],
      title: 'Ihre Rechnung für Strom',
      facts: [
        ['Wird abgebucht am', '18.05.2026'],
        ['Rechnungsdatum', '04.05.2026'],
        ['Betrag', '76,40 €'],
      ],
      body: 'Der Betrag für den Verbrauch von 212 kWh wird am 18.05.2026 von Ihrem Konto abgebucht. Bitte prüfen Sie die Rechnung und den Zähler.',
    },
    expected: {
      name: 'Klara Martinsdotter',
      issueDate: ISSUED,
      address: { street: 'Lindenstraße 27b', city: 'Berlin', postalCode: '10437', country: 'DEU' },
    },
  },
  FR: {
    letter: {
      sender: 'Eau du Rhône',
      senderAddress: '',
      senderLines: ['Eau du Rhône', '2 place du Marché', '38000 Grenoble'],
      window: { side: 'right' },
      recipient: ['MME KLARA MARTINSDOTTER', 'APPT 12', '12 RUE DES LILAS', '69003 LYON'],
      title: 'Facture',
      facts: [
        ['Facture du', '4 mai 2026'],
        ['Prélèvement le', '19 mai 2026'],
        ['Montant', '58,11 €'],
      ],
      body: 'La somme sera prélevée le 19 mai 2026 sur votre compte. La consommation de votre compteur est dans le tableau pour une période de trois mois.',
    },
    expected: {
      name: 'KLARA MARTINSDOTTER',
      issueDate: ISSUED,
      address: { street: 'APPT 12, 12 RUE DES LILAS', city: 'LYON', postalCode: '69003', country: 'FRA' },
    },
  },
  IT: {
    letter: {
      sender: 'Luce Serena',
      senderAddress: '',
      senderLines: ['Luce Serena', 'Via Verdi 1', '10121 Torino TO', 'P.IVA 01234567890'],
      window: { side: 'right' },
      recipient: ['Gent.ma Sig.ra', 'KLARA MARTINSDOTTER', 'VIA GARIBALDI 12', '20121 MILANO MI'],
      title: 'Bolletta della luce',
      facts: [
        ['Data di emissione', '04/05/2026'],
        ['Scadenza', '25/05/2026'],
        ['Totale', '58,11 €'],
      ],
      body: 'Il totale della fattura per la fornitura del periodo sua sarà addebitato sul conto con data 25/05/2026. Il contatore è nel vano scale.',
    },
    expected: {
      name: 'KLARA MARTINSDOTTER',
      issueDate: ISSUED,
      address: { street: 'VIA GARIBALDI 12', city: 'MILANO', postalCode: '20121', country: 'ITA' },
    },
  },
  ES: {
    letter: {
      sender: 'Luz del Valle',
      senderAddress: '',
      senderLines: ['Luz del Valle', 'Paseo de la Ribera 5', '41001 Sevilla', 'CIF A00000000'],
      window: { side: 'right' },
      recipient: ['Klara Martinsdotter', 'Calle Alcalá 120, 3º B', '28009 Madrid'],
      title: 'Factura de electricidad',
      facts: [
        ['Fecha de cargo', '20 de mayo de 2026'],
        ['Fecha de emisión', '4 de mayo de 2026'],
        ['Importe total', '58,11 €'],
      ],
      body: 'El importe de su factura se cargará en la cuenta el 20 de mayo de 2026. El consumo de la energía se ha medido con el contador para los meses que se indican.',
    },
    expected: {
      name: 'Klara Martinsdotter',
      issueDate: ISSUED,
      address: { street: 'Calle Alcalá 120, 3º B', city: 'Madrid', postalCode: '28009', country: 'ESP' },
    },
  },
  GB: {
    letter: {
      sender: 'Northern Rivers Water',
      senderAddress: '',
      senderLines: ['Northern Rivers Water', '1 Reservoir Way', 'Leeds', 'LS1 4AP', 'Phone 0345 000 0000'],
      window: { side: 'left' },
      recipient: ['Mrs K Martinsdotter', 'The Old Rectory', '14 Larkfield Road', 'LEEDS', 'LS6 2AB'],
      title: 'Your water bill',
      facts: [
        ['Bill date', '4 May 2026'],
        ['Direct debit on', '18 May 2026'],
        ['Amount', '£84.20'],
      ],
      body: 'This bill is for the water we supplied to your home. The amount will be collected from your account by direct debit on 18 May 2026.',
    },
    expected: {
      name: 'K Martinsdotter',
      issueDate: ISSUED,
      address: { street: 'The Old Rectory, 14 Larkfield Road', city: 'LEEDS', postalCode: 'LS6 2AB', country: 'GBR' },
    },
  },
  US: {
    letter: {
      sender: 'First Prairie Electric',
      senderAddress: '',
      senderLines: ['First Prairie Electric', '100 COMMERCE PLAZA', 'SPRINGFIELD, IL 62701'],
      window: { side: 'left' },
      recipient: ['KLARA MARTINSDOTTER', '2415 1ST AVE APT 4', 'SACRAMENTO, CA 95818-1234'],
      title: 'Your electric bill',
      facts: [
        ['Payment due date', '05/25/2026'],
        ['Statement date', '05/04/2026'],
        ['Amount due', '$84.20'],
      ],
      body: 'Please pay the amount due on your account by 05/25/2026. This statement is for the energy used by your home.',
    },
    expected: {
      name: 'KLARA MARTINSDOTTER',
      issueDate: ISSUED,
      address: { street: '2415 1ST AVE APT 4', city: 'SACRAMENTO', postalCode: '95818-1234', country: 'USA' },
    },
  },
  NL: {
    letter: {
      sender: 'Waterleiding Amstel',
      senderAddress: '',
      window: { side: 'left', returnLine: 'Waterleiding Amstel, Kade 1, 1011 AB Amsterdam' },
      recipient: ['Mevr. K. Martinsdotter', 'Keizersgracht 120-2', '1015 CX AMSTERDAM'],
      title: 'Uw factuur voor water',
      facts: [
        ['Factuurdatum', '4 mei 2026'],
        ['Incasso op', '18 mei 2026'],
        ['Bedrag', '€ 58,11'],
      ],
      body: 'Wij schrijven het bedrag van de factuur op 18 mei 2026 af van uw rekening. Een deel van het verbruik is met de meter gemeten en niet geschat.',
    },
    expected: {
      name: 'K. Martinsdotter',
      issueDate: ISSUED,
      address: { street: 'Keizersgracht 120-2', city: 'AMSTERDAM', postalCode: '1015 CX', country: 'NLD' },
    },
  },
  PL: {
    letter: {
      sender: 'Wodociągi Wisła',
      senderAddress: '',
      senderLines: ['Wodociągi Wisła', 'ul. Rzeczna 1', '31-001 Kraków', 'NIP 0000000000'],
      window: { side: 'right' },
      recipient: ['Pani', 'Klara Martinsdotter', 'ul. Długa 5 m. 3', '00-238 Warszawa'],
      title: 'Faktura',
      facts: [
        ['Termin płatności', '25.05.2026'],
        ['Data wystawienia', '04.05.2026'],
        ['Kwota', '158,11 zł'],
      ],
      body: 'Faktura jest do zapłaty na rachunek w terminie do dnia 25.05.2026. Numer klienta oraz data odczytu nie jest podana na wodomierzu dla Państwa.',
    },
    expected: {
      name: 'Klara Martinsdotter',
      issueDate: ISSUED,
      address: { street: 'ul. Długa 5 m. 3', city: 'Warszawa', postalCode: '00-238', country: 'POL' },
    },
  },
  GR: {
    letter: {
      sender: 'Ύδρευση Αττικής',
      senderAddress: '',
      senderLines: ['Ύδρευση Αττικής', 'Λεωφόρος Θησέως 1', '176 76 Καλλιθέα', 'ΑΦΜ 000000000'],
      window: { side: 'right' },
      recipient: ['Κλάρα Μαρτινσντότερ', 'Ερμού 12', '105 63 Αθήνα'],
      title: 'Λογαριασμός ύδρευσης',
      facts: [
        ['Ημερομηνία λήξης', '25/05/2026'],
        ['Ημερομηνία έκδοσης', '04/05/2026'],
        ['Ποσό', '58,11 €'],
      ],
      body: 'Ο λογαριασμός σας πληρώνεται έως τις 25/05/2026. Η κατανάλωση μετρήθηκε με τον μετρητή του σπιτιού σας.',
    },
    expected: {
      name: 'Κλάρα Μαρτινσντότερ',
      issueDate: ISSUED,
      address: { street: 'Ερμού 12', city: 'Αθήνα', postalCode: '105 63', country: 'GRC' },
    },
  },
  PT: {
    letter: {
      sender: 'Águas do Tejo',
      senderAddress: '',
      senderLines: ['Águas do Tejo', 'Cais da Ribeira 1', '1200-001 Lisboa', 'NIF 500000000'],
      window: { side: 'right' },
      recipient: ['Exma. Sra. Klara Martinsdotter', 'Rua das Flores 12, 2.º Dto.', '4050-265 Porto'],
      title: 'Fatura da água',
      facts: [
        ['Débito direto em', '20 de maio de 2026'],
        ['Data de emissão', '4 de maio de 2026'],
        ['Valor', '58,11 €'],
      ],
      body: 'O valor da sua fatura será debitado na conta a 20 de maio de 2026. Os dados do cliente são para uma consulta que não tem custos.',
    },
    expected: {
      name: 'Klara Martinsdotter',
      issueDate: ISSUED,
      address: { street: 'Rua das Flores 12, 2.º Dto.', city: 'Porto', postalCode: '4050-265', country: 'PRT' },
    },
  },
};

/** A letter in Russian, and one in a script whose addresses are not parsed. */
export const SCRIPT_LETTERS: Record<'russian' | 'chinese', Letter> = {
  russian: {
    sender: 'Водоканал Невы',
    senderAddress: '',
    senderLines: ['Водоканал Невы', 'Набережная ул., д. 1', '190000, г. Санкт-Петербург', 'ИНН 0000000000'],
    window: { side: 'right' },
    recipient: ['Мартинсдоттер Клара Эмильевна', 'ул. Лесная, д. 5, кв. 12', '125047, г. Москва'],
    title: 'Счёт за воду',
    facts: [
      ['Срок оплаты', '25.05.2026'],
      ['Дата выставления', '04.05.2026'],
      ['Сумма', '1158,11'],
    ],
    body: 'Просим оплатить счёт за холодную и горячую воду до 25.05.2026. Показания счётчика приведены в таблице ниже.',
  },
  chinese: {
    sender: '市自来水公司',
    senderAddress: '',
    window: { side: 'left' },
    recipient: ['玛婷 女士', '朝阳区花园路十二号三单元', '北京市 100020'],
    title: '水费账单',
    facts: [['账单日期', '2026年5月4日']],
    body: '本账单为您家庭上月的用水费用，请在到期日之前缴纳应付金额，并在付款时注明您的客户编号。如有疑问，请联系我们的客户服务中心，谢谢您的合作与支持。我们将竭诚为您提供优质的供水服务。',
  },
};
