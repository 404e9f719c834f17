import type { FieldName } from './result';

/** Captions of one language, as regular expressions over lower-case letters without diacritics; spaces may be missing. */
interface NationalCaptions {
  /** states whose identity cards, residence permits or licences print them, ISO 3166-1 alpha-3 */
  states: string;
  captions: Partial<Record<FieldName, string>>;
}

const LANGUAGES: readonly NationalCaptions[] = [
  {
    states: 'NLD BEL',
    captions: {
      placeOfBirth: 'geboorteplaats',
      dateOfBirth: 'geboortedatum',
      expiryDate: 'geldig tot|datum einde geldigheid|vervaldatum',
      issueDate: 'datum (van )?afgifte|afgiftedatum',
      personalNumber: 'burgerservicenummer|persoonsnummer|rijksregisternummer|nr rijksregister',
      documentNumber: 'documentnummer|kaartnummer|kaart nr|paspoortnummer|vreemdelingennummer',
      firstName: 'voorna(am|men)',
      lastName: 'achternaam|familienaam',
      nationality: 'nationaliteit',
      sex: 'geslacht',
    },
  },
  {
    states: 'FRA BEL LUX CHE MCO',
    captions: {
      dateOfBirth: 'date de naiss',
      expiryDate: 'date d.?expir|valable jusqu|fin de validite|date d.?echeance',
      issueDate: 'date de delivrance|delivree? le',
      documentNumber: 'n. de (la )?carte|n. du (document|titre)|numero (de carte|du document|du titre)',
      personalNumber: 'numero (national|personnel)',
      nationality: 'nationalite',
    },
  },
  {
    states: 'DEU AUT CHE LUX LIE',
    captions: {
      dateOfBirth: 'geboren am',
      expiryDate: 'gultig bis|gueltig bis|ablaufdatum|karte gultig',
      issueDate: 'ausgestellt am|datum der ausstellung',
      documentNumber: 'dokumentennummer|dokument nr|nr des titels|kartennummer|ausweisnummer',
      personalNumber: 'personennummer|personenkennzahl|ahv.?nr',
      nationality: 'staatsburgerschaft|nationalitat|heimatort',
    },
  },
  {
    states: 'ITA CHE SMR',
    captions: {
      placeOfBirth: 'luogo (e data )?di nascita',
      expiryDate: 'valid[ao] fino al|data di scadenza',
      issueDate: 'emissione',
      documentNumber: 'numero (della )?(carta|documento|permesso)',
      personalNumber: 'codice fiscale',
    },
  },
  {
    states: 'ESP MEX ARG CHL COL PER',
    captions: {
      expiryDate: 'valid[oe]z|fecha de venc|vigencia',
      issueDate: 'emision|expedicion',
      documentNumber: 'num(ero)? (de )?(soporte|documento)|n. documento|numero de tarjeta',
      personalNumber: '^d\\.?n\\.?i\\.?( ?num\\.?)?$|^n\\.?i\\.?e\\.?$|\\bcurp\\b',
      address: 'domicilio',
    },
  },
  {
    states: 'PRT BRA',
    captions: {
      placeOfBirth: 'local de nascimento|naturalidade',
      dateOfBirth: 'data de nascimento|data nasc',
      expiryDate: 'data de validade|valido ate',
      issueDate: 'data de emissao|data de expedicao',
      personalNumber: 'numero de identificacao|\\bcpf\\b',
      documentNumber: 'n. documento|numero do? documento|n. do titulo',
      firstName: 'nomes? proprios?',
      lastName: 'apelidos?|sobrenome',
      nationality: 'nacionalidade',
      address: 'morada ?[/:(]|endereco',
    },
  },
  {
    states: 'SWE',
    captions: {
      placeOfBirth: 'fodelseort',
      dateOfBirth: 'fodelse(datum|tid)',
      expiryDate: 'giltigt? (till|t\\.?o\\.?m)|sista giltighetsdag',
      issueDate: 'utfardande(datum|dag)|utfardat',
      personalNumber: 'personn(r|ummer)',
      documentNumber: 'kortn(r|ummer)|pass nr|passn(r|ummer)',
      firstName: 'fornamn',
      lastName: 'efternamn',
      nationality: 'medborgarskap',
    },
  },
  {
    states: 'DNK NOR ISL',
    captions: {
      placeOfBirth: 'fodested|faedingarstadur',
      dateOfBirth: 'fodsels(dato|dag)|faedingardagur',
      expiryDate: 'gyldigt? til|udlobsdato|utlopsdato|gildir til',
      issueDate: 'udstedt|udstedelsesdato|utstedt|utstedelsesdato|utgafudagur',
      personalNumber: 'personn(r|ummer)|fodselsnummer|cpr.?n(r|ummer)|kennitala',
      documentNumber: 'dokumentn(r|ummer)|kortn(r|ummer)|passn(r|ummer)',
      firstName: 'fornavne?',
      lastName: 'efternavn|etternavn|kenninafn',
      nationality: 'statsborgerska[bp]|rikisfang',
      sex: '\\bkjonn\\b',
    },
  },
  {
    states: 'FIN',
    captions: {
      placeOfBirth: 'syntymapaikka',
      dateOfBirth: 'syntymaaika',
      expiryDate: 'voimassaolo|voimassa',
      issueDate: 'myonnetty|myontamispaiva',
      personalNumber: 'henkilotunnus',
      documentNumber: '(kortin|passin|asiakirjan) numero',
      firstName: 'etunim(i|et)',
      lastName: 'sukunimi',
      nationality: 'kansalaisuus',
      sex: 'sukupuoli',
    },
  },
  {
    states: 'EST',
    captions: {
      placeOfBirth: 'sunnikoht|sunnikoha',
      dateOfBirth: 'sunni(aeg|kuupaev)',
      expiryDate: 'kehtiv kuni',
      issueDate: 'valja antud|valjaandmise kuupaev',
      personalNumber: 'isikukood',
      documentNumber: 'dokumendi (nr|number)',
      firstName: 'eesnim(i|ed)',
      lastName: 'perekonnanimi',
      nationality: 'kodakondsus',
    },
  },
  {
    states: 'LVA LTU',
    captions: {
      placeOfBirth: 'dzimsanas vieta|gimimo vieta',
      dateOfBirth: 'dzimsanas (datums|laiks)|gimimo data',
      expiryDate: 'deriga lidz|galioja iki',
      issueDate: 'izdosanas datums|izdota|isdavimo data|isduota',
      personalNumber: 'personas kods|asmens kodas',
      documentNumber: 'dokumenta (nr|numurs)|dokumento (nr|numeris)|korteles nr',
      lastName: 'uzvards|pavarde',
      nationality: 'pilsoniba|valstspiederiba|pilietybe',
      sex: '\\bdzimums\\b',
    },
  },
  {
    states: 'CZE SVK',
    captions: {
      placeOfBirth: 'misto (okres )?narozeni|miesto narodenia',
      dateOfBirth: 'datum narozeni|datum narodenia',
      expiryDate: 'platnost (do|dokladu)|konec platnosti|datum platnosti|plati do',
      issueDate: 'datum vydan(i|ia)|vydan[oy] dne',
      personalNumber: 'rodne cislo',
      documentNumber: 'cislo (dokladu|prukazu|pasu|preukazu|povolen(i|ia)|op)',
      firstName: '\\bjmen[oa]\\b',
      lastName: 'prijmeni|priezvisko',
      nationality: 'statni obcanstvi|statne obcianstvo|statn[ia] prislusnost',
      address: 'trvaly pobyt',
      sex: 'pohlavi(e)?',
    },
  },
  {
    states: 'HUN',
    captions: {
      placeOfBirth: 'szuletesi hely',
      dateOfBirth: 'szuletesi (ido|datum)',
      expiryDate: 'ervenyes|ervenyesseg',
      issueDate: 'kiallitas|kiadas datuma|kiadva',
      personalNumber: 'szemelyi (azonosito|szam)',
      documentNumber: 'okmanyazonosito|okmanyszam|okmany szama|utlevelszam',
      firstName: 'utone[vi]|keresztne[vi]',
      lastName: 'csaladi nev|vezetekne[vi]',
      nationality: 'allampolgarsag',
      address: 'lakcim',
    },
  },
  {
    states: 'ROU MDA',
    captions: {
      placeOfBirth: 'loc(ul)? nastere|locul nasterii',
      dateOfBirth: 'data nasterii',
      expiryDate: 'valabilitate|data expirarii|valabil pana',
      issueDate: 'data (emiterii|eliberarii)',
      personalNumber: 'cod numeric personal|\\bcnp\\b|\\bidnp\\b',
      documentNumber: 'n(r|umar) document|numarul documentului',
      firstName: 'prenume(?! ?parin)',
      nationality: 'cetatenie',
      address: 'domiciliu',
    },
  },
  {
    states: 'HRV SVN SRB BIH MNE',
    captions: {
      placeOfBirth: 'mj?esto rodenja|kraj rojstva',
      dateOfBirth: 'datum rodenja|datum rojstva',
      expiryDate: 'vrijedi do|vazi do|velja do|datum (isteka|poteka)|rok vazenja',
      issueDate: 'datum (izdavanja|izdaje)',
      personalNumber: '\\boib\\b|\\bemso\\b|\\bjmbg\\b',
      documentNumber: 'broj (isprave|osobne|putovnice|licne|dokumenta)|(serijska|reg) stevilka|stevilka dokumenta',
      lastName: '\\bprezime\\b|\\bpriimek\\b',
      nationality: 'drzavljanstvo',
      address: 'prebivali(ste|sce)',
      sex: '\\bspol\\b',
    },
  },
  {
    states: 'POL',
    captions: {
      expiryDate: 'termin waznosci|data waznosci|wazny do',
      issueDate: 'data wydania|data wyd',
      documentNumber: 'numer (dowodu|karty|paszportu)|seria i numer|nr dokumentu',
      address: 'adres zameldowania',
    },
  },
  {
    states: 'TUR',
    captions: {
      placeOfBirth: 'dogum yeri',
      dateOfBirth: 'dogum tarihi',
      expiryDate: 'son gecerlilik|gecerlilik tarihi',
      issueDate: 'verilis tarihi|duzenlenme tarihi',
      personalNumber: 'kimlik no',
      documentNumber: 'seri no|belge no',
      lastName: '\\bsoyadi\\b',
      nationality: '\\buyrugu\\b',
      sex: '\\bcinsiyeti?\\b',
    },
  },
  {
    states: 'GRC CYP',
    captions: {
      placeOfBirth: 'τοπος γεννησης',
      dateOfBirth: 'ημ(ερομηνια|/?νια|\\.)? ?γεννησης',
      expiryDate: 'ημ(ερομηνια|/?νια|\\.)? ?ληξης|ισχυει μεχρι',
      issueDate: 'ημ(ερομηνια|/?νια|\\.)? ?εκδοσης',
      documentNumber: 'αριθμος (δελτιου|εγγραφου|διαβατηριου|αδειας)|αρ\\.? ?(δελτιου|διαβατηριου)',
      firstName: '(^|[^\\p{L}])ονομα(?!\\p{L})',
      lastName: 'επωνυμο',
      nationality: 'ιθαγενεια|υπηκοοτητα',
      address: 'διευθυνση',
      sex: '(^|[^\\p{L}])φυλο(?!\\p{L})',
    },
  },
  {
    states: 'BGR UKR MKD SRB',
    captions: {
      placeOfBirth: 'място на раждане|місце народження|место (на раѓање|рођења)',
      dateOfBirth: 'дата на раждане|дата народження|датум (на раѓање|рођења)',
      expiryDate: 'валидност|дійсний до|важи до',
      issueDate: 'дата на издаване|дата видачі|датум (на издавање|издавања)',
      personalNumber: '(^|[^\\p{L}])егн(?!\\p{L})|рнокпп',
      documentNumber: 'номер на документа|(документ|паспорт) (no|№)|номер документа',
      lastName: 'фамилия|прізвище|презиме',
      nationality: 'гражданство|громадянство|држав[јљ]анство',
      address: 'постоянен адрес',
    },
  },
];

/** Letters that are no letter with a mark, by the one that captions are written with here. */
const PLAIN_LETTERS: Record<string, string> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  ß: 's',
  æ: 'a',
  ð: 'd',
  þ: 't',
  ς: 'σ',
};

/** Lower-case letters without diacritics, one for each UTF-16 unit, so that positions in both texts are the same. */
const simplify = (text: string): string =>
  Array.from({ length: text.length }, (_, index) => {
    const letter = text.charAt(index).toLowerCase();
    return PLAIN_LETTERS[letter] ?? (letter.normalize('NFD').replace(/\p{M}/gu, '').charAt(0) || ' ');
  }).join('');

const NAMES: readonly FieldName[] = [
  'placeOfBirth',
  'dateOfBirth',
  'expiryDate',
  'issueDate',
  'personalNumber',
  'documentNumber',
  'firstName',
  'lastName',
  'nationality',
  'address',
  'sex',
];

const PATTERNS: readonly (readonly [FieldName, RegExp])[] = NAMES.map((name) => {
  const sources = LANGUAGES.flatMap(({ captions }) => captions[name] ?? []).join('|');
  // Text recognition drops spaces, and reads a point or none after abbreviations.
  const spaced = sources.replace(/\P{ASCII}/gu, simplify).replace(/ /g, '[\\s.]*');
  return [name, new RegExp(spaced, 'u')] as const;
});

/** The states whose captions are known, besides those of English, ISO 3166-1 alpha-3. */
export const CAPTIONED_STATES: readonly string[] = [...new Set(LANGUAGES.flatMap(({ states }) => states.split(' ')))];

/** The field of a caption in a national language and its place in the text; null if the text has none. */
export function findNationalCaption(text: string): { name: FieldName; end: number } | null {
  const simple = simplify(text);
  for (const [name, pattern] of PATTERNS) {
    const match = pattern.exec(simple);
    if (match !== null) return { name, end: match.index + match[0].length };
  }
  return null;
}
