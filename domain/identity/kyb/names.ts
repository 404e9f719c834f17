/**
 * Words for a legal form at the end of a company's name, folded. They tell companies apart less than names do: a client
 * writes "Ltd" where the register writes "Limited", or leaves it out.
 */
const LEGAL_FORMS = new Set(
  (
    'ab ag aps as asa bhd bv cv co company corp corporation cv doo dooel ead ehf eood ev gbr gie gmbh hf ik inc ' +
    'incorporated kft kg kgaa ks lda limited llc llp lp ltd ltda mbh nv nyrt ood oao oo ooo oy oyj pao plc pjsc pte pty ' +
    'pvt private public sa sab sae sarl sas sasu sca scs se sgps sl slu snc soc spa spol spolka spzoo sr srl sro srls ug ' +
    'uab vof zoo zrt zao as a/s k/s'
  ).split(' '),
);

/** Forms written as several words or with points, made one word before the name is cut at its spaces. */
const COMPOUND: readonly [RegExp, string][] = [
  [/\bgesellschaft mit beschrankter haftung\b/g, ' gmbh '],
  [/\b(?:societe anonyme|sociedad anonima|sociedade anonima)\b/g, ' sa '],
  [/\bsocieta per azioni\b/g, ' spa '],
  [/\bbesloten vennootschap\b/g, ' bv '],
  [/\bpublic limited company\b/g, ' plc '],
  [/\blimited liability company\b/g, ' llc '],
  [/\bsp\.? ?z\.? ?o\.? ?o\.?(?=\s|$)/g, ' spzoo '],
  [/\bs\.? ?r\.? ?o\.?(?=\s|$)/g, ' sro '],
  [/\bd\.? ?o\.? ?o\.?(?=\s|$)/g, ' doo '],
  [/\bs\.? ?a\.? ?r\.? ?l\.?(?=\s|$)/g, ' sarl '],
  [/\bs\.? ?p\.? ?a\.?(?=\s|$)/g, ' spa '],
  [/\bs\.? ?r\.? ?l\.?(?=\s|$)/g, ' srl '],
  [/\bl\.? ?l\.? ?c\.?(?=\s|$)/g, ' llc '],
  [/\bp\.? ?l\.? ?c\.?(?=\s|$)/g, ' plc '],
  [/\bb\.? ?v\.?(?=\s|$)/g, ' bv '],
  [/\bn\.? ?v\.?(?=\s|$)/g, ' nv '],
  [/\bs\.? ?a\.? ?s\.?(?=\s|$)/g, ' sas '],
  [/\bs\.? ?a\.?(?=\s|$)/g, ' sa '],
  [/\ba\.? ?g\.?(?=\s|$)/g, ' ag '],
  [/\ba\/s\b/g, ' as '],
];

/** Forms written out, and the short word that stands for each. */
const SAME_FORM: Readonly<Record<string, string>> = {
  limited: 'ltd',
  incorporated: 'inc',
  corporation: 'corp',
  company: 'co',
  private: 'pvt',
  aktiengesellschaft: 'ag',
  aktiebolag: 'ab',
  aktieselskab: 'as',
  osakeyhtio: 'oy',
};

/** Letters that no decomposition turns into plain ones. */
const PLAIN: Readonly<Record<string, string>> = { ß: 'ss', ø: 'o', đ: 'd', ł: 'l', æ: 'ae', œ: 'oe', þ: 'th', ı: 'i' };

/** Lower case without marks: names that differ only so are the same name. */
export const foldName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßøđłæœþı]/g, (letter) => PLAIN[letter] ?? letter);

const wordsOf = (text: string): string[] => text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');

/** A company's name as look-ups compare it. */
export interface CompanyNameParts {
  /** the words without legal form, joined by spaces */
  key: string;
  words: string[];
  /** words of the legal form, folded */
  forms: string[];
}

/** Takes a company's name apart. A name that is nothing but legal forms keeps them as its words. */
export function companyNameParts(name: string): CompanyNameParts {
  const folded = COMPOUND.reduce(
    (text, [form, word]) => text.replace(form, word),
    foldName(name).replace(/[&+]/g, ' and '),
  );
  const all = wordsOf(folded);
  const isForm = (word: string, index: number): boolean => index > 0 && LEGAL_FORMS.has(SAME_FORM[word] ?? word);
  const words = all.filter((word, index) => !isForm(word, index));
  const forms = all.filter(isForm).map((word) => SAME_FORM[word] ?? word);
  return { key: words.join(' '), words, forms };
}
