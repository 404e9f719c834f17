import type { TextPiece } from './layout';
import type { AddressProofType } from './result';

/** Words typical of each kind of letter; every different word found counts once. */
const WORDS: readonly (readonly [AddressProofType, RegExp])[] = [
  [
    'utility_bill',
    /\bkwh\b|electricity|\bgas\b|water|sewerage|broadband|internet|energy|meter|tariff|telephone|mobile|strom|wasser|erdgas|energie|zähler|tarif|telefon|stadtwerke|luz|agua|electricidad|energía|contador|suministro|potencia|eau|électricité|compteur|abonnement|consommation|bolletta|luce|acqua|fornitura|contatore|fatura de energia|água|eletricidade|stroom|prąd|utility|council services|مياه|كهرباء|غاز|عداد|استهلاك|חשמל|מים|גז|מונה|צריכ|बिजली|विद्युत|जल(?!\p{M})|सीवर|गैस|मीटर|यूनिट|पानी|ไฟฟ้า|ประปา|มิเตอร์|ค่าน|โทรศัพท์/giu,
  ],
  [
    'bank_statement',
    /\biban\b|\bbic\b|sort code|account statement|bank statement|opening balance|closing balance|statement of account|balance|kontoauszug|kontostand|\bsaldo\b|buchung|extracto|movimientos|relevé de compte|solde|virement|estratto conto|extrato|rekeningafschrift|wyciąg|routing number|deposits|withdrawals|credit card|بنك|كشف حساب|رصيد|בנק|דף חשבון|יתרה|बैंक|खाता|शेष|ธนาคาร|ใบแจ้งยอด|ยอดคงเหลือ|บัญชี/giu,
  ],
  [
    'government_letter',
    /council tax|\bhmrc\b|revenue|tax (assessment|notice|code|return)|electoral|department (of|for)|ministry|city of|county|finanzamt|steuerbescheid|einkommensteuer|meldebescheinigung|bürgeramt|einwohnermelde|agencia tributaria|ayuntamiento|padrón|hacienda|seguridad social|impôts?|avis d['’]imposition|direction générale|préfecture|mairie|agenzia delle entrate|comune di|belastingdienst|gemeente|urząd|social security|finanças|وزارة|ضريب|بلدية|משרד|עיריי|מסים|ארנונה|नगर निगम|आयकर|मंत्रालय|กรมสรรพากร|เทศบาล|กระทรวง|ภาษี/giu,
  ],
];

/** Detects the kind of a letter by the most typical words. */
export function detectProofType(text: string): AddressProofType {
  let best: { type: AddressProofType; words: number } = { type: 'other', words: 1 };
  for (const [type, pattern] of WORDS) {
    const words = new Set((text.match(pattern) ?? []).map((word) => word.toLowerCase())).size;
    if (words > best.words) best = { type, words };
  }
  return best.type;
}

/** Legal forms at the end of company names. */
export const LEGAL_FORM =
  /(?:^|[\s,])(gmbh(?: ?& ?co\.? ?kg)?|ag|kg|se|ltd\.?|limited|plc|llc|llp|inc\.?|corp(?:oration)?\.?|s\.? ?a\.? ?u?\.?|s\.? ?l\.? ?u?\.?|s\.? ?a\.? ?s\.?|sarl|s\.? ?p\.? ?a\.?|s\.? ?r\.? ?l\.?|b\.? ?v\.?|n\.? ?v\.?|sp\. ?z ?o\.? ?o\.?|lda\.?|oy|ab|a\/s|e\.? ?g\.?|eg|co\.|בע["״']+מ|ش\.? ?م\.? ?[عم]\.?|लिमिटेड|จำกัด)(?=$|[\s,.·|])/iu;

/** Words in the names of issuers. */
export const ISSUER_WORD =
  /bank|banco|banque|sparkasse|caja|caixa|credit union|energy|energie|energía|energia|power|electric|gas\b|water|eau|agua|acqua|wasser|stadtwerke|telecom|telekom|telef|mobile|broadband|council|finanzamt|agencia|agenzia|ministry|ministerio|ministère|department|direction|ayuntamiento|mairie|comune|gemeente|city of|county of|revenue|utilities|services|insurance|versicherung|assurance|شركة|بنك|مصرف|مؤسسة|هيئة|بلدية|وزارة|חברת|חברה|בנק|עיריית|רשות|תאגיד|निगम|बैंक|विभाग|कंपनी|लिमिटेड|बोर्ड|मंडल|การประปา|การไฟฟ้า|ธนาคาร|บริษัท|กรม|สำนักงาน|เทศบาล/iu;

/** Titles name the kind of a letter, not its issuer. */
const TITLE =
  /\b(bill|invoice|statement|rechnung|kontoauszug|bescheid|factura|extracto|facture|relevé|avis|fattura|bolletta|fatura|factuur|faktura|contract|terms)\b|^(?:فاتورة|كشف|חשבון|חשבונית|בעד|ใบแจ้ง|ใบเสร็จ)|बिल$/iu;

const SENTENCE = /[.!?]$|\b(please|bitte|merci|gracias|your|ihre|votre|su)\b/iu;

/**
 * Finds the issuer of a letter: among the lines of the head and foot of the first page, the one most similar to the
 * name of a company or an authority, larger print first.
 *
 * @param notIssuer text that is known to be something else, such as the recipient
 */
export function findIssuer(lines: readonly TextPiece[], notIssuer: readonly string[]): string | null {
  const first = lines.filter(({ page }) => page === 0);
  const bottom = Math.max(0, ...first.map((line) => line.bottom));
  const heights = first.map((line) => line.bottom - line.top).sort((a, b) => a - b);
  const usual = heights[Math.floor(heights.length / 2)] ?? 1;
  let best: { text: string; score: number } | null = null;
  for (const line of first) {
    // A letterhead often continues with address or phone number in the same line.
    const text = (line.text.split(/\s[·|•–-]\s|,\s(?=\S*\s?\d)|\s{3,}/)[0] ?? '').trim();
    if (text.length < 3 || text.length > 70 || !/[\p{L}\p{M}]{3}/u.test(text) || notIssuer.includes(line.text))
      continue;
    const position = line.top / Math.max(1, bottom);
    const score =
      (LEGAL_FORM.test(text) ? 3 : 0) +
      (ISSUER_WORD.test(text) ? 2 : 0) +
      (position < 0.25 ? 1.5 : position > 0.85 ? 0.5 : 0) +
      Math.min(2, (line.bottom - line.top) / usual - 1) -
      (SENTENCE.test(line.text) && !LEGAL_FORM.test(text) ? 2 : 0) -
      (TITLE.test(text) ? 3 : 0) -
      (/[:]|\d{3}/.test(text) ? 2 : 0);
    if (score >= 2 && (best === null || score > best.score)) best = { text, score };
  }
  return best?.text ?? null;
}
