/** Forms of address that are not part of the name. */
export const TITLES = new Set(
  (
    'mr mrs ms miss dr prof professor president praesident prasident minister general gen colonel col major maj captain capt ' +
    'lieutenant lt brigadier commander sir lord lady herr frau senor senora don dona eng engineer hon honorable ' +
    'gospodin monsieur madame excellency'
  ).split(' '),
);

/** Honorifics that lists include inconsistently: they have little weight and never count against a name. */
export const HONORIFICS = new Set(
  (
    'haji hajji hadji haj hajj shaikh sheikh shaykh cheikh sheik mullah mulla molla maulvi mawlawi maulawi sayyid sayed sayid syed ' +
    'said seyed syd hajy haja haj shykh mwlwy qari hafiz ustaz ustad imam ayatollah sultan emir amir alhaj junior jr senior sr ii iii iv'
  ).split(' '),
);

/** Articles and words of descent with the spelling in which they are compared. */
export const PARTICLES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    al: 'al',
    el: 'al',
    ul: 'al',
    bin: 'bin',
    ben: 'bin',
    ibn: 'bin',
    bn: 'bin',
    bint: 'bint',
    binti: 'bint',
    ould: 'ould',
    wld: 'ould',
    de: 'de',
    del: 'de',
    da: 'de',
    dos: 'de',
    das: 'de',
    di: 'de',
    du: 'de',
    des: 'de',
    la: 'la',
    le: 'la',
    las: 'la',
    los: 'la',
    van: 'van',
    von: 'van',
    der: 'der',
    den: 'der',
    y: 'y',
  }),
);

/** Whether a word is the Arabic article assimilated to the following letter: `as-Sadr`, `an-Nur`. */
export const isAssimilatedArticle = (word: string, next: string | undefined): boolean =>
  /^a(?:[drtszn]|sh)$/.test(word) && next !== undefined && next.length > 2 && next.startsWith(word.slice(1));

/** Legal forms by class: forms of one class are equivalent across countries and languages. */
const FORMS: Readonly<Record<string, string>> = {
  limited:
    'ltd|limited|llc|l l c|ltda|limitada|limited liability company|gmbh|mbh|gesellschaft mit beschrankter haftung|ooo|obshchestvo s ogranichennoy otvetstvennostyu|tov|sarl|s a r l|srl|s r l|sro|s r o|spol s r o|doo|d o o|sp z o o|sp zoo|spzoo|kft|bv|b v|bvba|oy|ab|as|aps|eood|ood|sl|s l|sociedad limitada|s de r l|s de rl|s de r l de c v|s de rl de cv|pty ltd|pty|pvt ltd|private limited|pvt|pte ltd|pte|sdn bhd|sdn|fze|fzco|fzc|fz llc|wll|w l l|dmcc|youxian gongsi|co ltd|company limited|cv|limited company|mchj|mmc|too|ou|uab|sia|lda|eirl|e i r l|yugen kaisha|societatea cu raspundere limitata|limited sirketi|ltd sti|limited sti|gongsi',
  stock:
    'plc|ag|aktiengesellschaft|sa|s a|societe anonyme|sociedad anonima|sa de cv|s a de c v|spa|s p a|nv|n v|jsc|joint stock company|oao|pao|zao|ao|ojsc|pjsc|cjsc|open joint stock company|public joint stock company|closed joint stock company|aktsionernoe obshchestvo|otkrytoe aktsionernoe obshchestvo|publichnoe aktsionernoe obshchestvo|zakrytoe aktsionernoe obshchestvo|pat|prat|vat|at|public limited company|public company|asa|abp|oyj|ad|a d|dd|d d|akcionarsko drustvo|nyrt|zrt|a s|akciova spolecnost|as anonim sirketi|anonim sirketi|sal|s a l|s a e|sae|saog|saoc|qsc|kk|kabushiki kaisha|ksc|k s c|tbk|pt|p j s c|ae|a e|sas|s a s',
  company:
    'co|company|corp|corporation|inc|incorporated|cie|compagnie|compania|kompaniya|kompania|cia|sherkat|sherkate|and co|enterprise|enterprises|establishment|est',
  group: 'group|holding|holdings|gruppe|groupe|grupo|gruppa|konzern|kontsern|concern',
  partnership:
    'kg|ohg|gbr|llp|lp|gmbh and co kg|gmbh co kg|snc|s n c|scs|sca|kgaa|k d|partnership|limited partnership|kommanditgesellschaft|vof|cv ba',
  nonprofit: 'ev|e v|eingetragener verein|foundation|fundacion|fondation|stiftung|fond|association|ngo|ano',
  state:
    'fgup|gup|mup|federal state unitary enterprise|federalnoe gosudarstvennoe unitarnoe predpriyatie|unitary enterprise',
};

/** Legal forms as sequences of words, longest first, with their class. */
export const LEGAL_FORMS: readonly { words: readonly string[]; kind: string }[] = Object.entries(FORMS)
  .flatMap(([kind, spellings]) => spellings.split('|').map((spelling) => ({ words: spelling.split(' '), kind })))
  .sort((a, b) => b.words.length - a.words.length || (a.words.join(' ') < b.words.join(' ') ? -1 : 1));

/** Classes of legal forms, such as `limited`. */
export const LEGAL_FORM_KINDS: readonly string[] = Object.keys(FORMS);

/** Words of company names in one spelling; most denote a trade and distinguish companies only weakly. */
const TRADE_WORDS: Readonly<Record<string, string>> = {
  international: 'intl int internacional internationale mezhdunarodny mezhdunarodnyi mezhdunarodnaya',
  trading: 'trade trdg comercio commerce handel torgovy torgovaya torgovlya comercial commercial',
  bank: 'banco banque banca banka',
  industries: 'industry industrial industria industrie promyshlennost promyshlenny ind',
  services: 'service servicios svcs',
  general: 'gen generale',
  shipping: 'marine maritime navigation lines line navegacion sudokhodnaya',
  transport: 'transportation transportes logistics logistic logistika',
  investment: 'investments invest inversiones investitsii',
  construction: 'building constructora stroitelstvo stroy construcciones',
  import: 'imports importacion',
  export: 'exports exportacion eksport',
  management: 'mgmt',
  technology: 'technologies tech tekhnologii technical',
  engineering: 'inzhiniring',
  national: 'natl nacional natsionalny',
  brothers: 'bros hermanos',
  manufacturing: 'mfg manufacture',
  university: 'univ universidad universite universitet',
  organization: 'organisation org organizacion organizatsiya',
  institute: 'inst institut instituto',
  center: 'centre centro tsentr',
  and: 'und et y',
  the: '',
  of: 'for de du del di des von',
  research: '',
  development: '',
  production: '',
  company: '',
  group: 'gruppa grupo groupe',
  oil: 'petroleum neft',
  energy: 'energia energie',
};

export const TRADE: ReadonlyMap<string, string> = new Map(
  Object.entries(TRADE_WORDS).flatMap(([word, spellings]) =>
    [word, ...spellings.split(' ').filter((spelling) => spelling !== '')].map((spelling) => [spelling, word] as const),
  ),
);

/** Words without weight in a company's name. */
export const FILLERS = new Set(['and', 'the', 'of']);

/** Countries and nationalities in company names: branches are often named without them. */
export const PLACES = new Set(
  (
    'schweiz switzerland suisse deutschland germany german france francais austria osterreich italia italy italian espana spain spanish ' +
    'uk britain british usa america american canada canadian mexico mexicana brasil brazil argentina chile colombia colombiana panama venezuela peru ecuador ' +
    'cuba cubana russia russian rossiya rossii rf ukraine ukraina belarus kazakhstan georgia armenia azerbaijan turkey turkiye turk turkish ' +
    'iran iranian iraq iraqi syria syrian lebanon lebanese jordan egypt egyptian libya libyan sudan tunisia algeria morocco yemen oman qatar kuwait bahrain emirates uae dubai ' +
    'saudi arabia pakistan india indian china chinese hongkong hk taiwan japan korea korean dprk singapore malaysia indonesia vietnam thailand philippines myanmar ' +
    'australia zealand africa african asia asian europe european eastern western middle east north south'
  ).split(' '),
);

const NUMBER_WORDS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = '- - twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const ORDINALS = 'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ');

/** The number that a word denotes: `forty` 40, `first` 1, `2nd` 2; undefined for any other word. */
export function parseNumberWord(word: string): number | undefined {
  const digits = /^(\d{1,9})(?:st|nd|rd|th)?$/.exec(word)?.[1];
  if (digits !== undefined) return Number(digits);
  for (const words of [NUMBER_WORDS, ORDINALS]) {
    const value = words.indexOf(word);
    if (value > 0) return value;
  }
  const tens = TENS.indexOf(word);
  return tens > 1 ? tens * 10 : undefined;
}

/** Given names that count as one: spellings with different phonetic keys, and common short forms. */
const SAME_NAMES =
  'mohammed muhammad mohamed mohammad muhammed mohamad mohamud mahomed mahammad mamadou magomed muhamad mehmed mehmet mohd md|' +
  'yusuf yousef youssef yousuf joseph josef iosif jose yosef joe|ibrahim abraham avraham ebrahim ibragim|' +
  'alexander alexandr aleksandr aleksander oleksandr alexandre alejandro alex sasha iskander aliaksandr|' +
  'vladimir volodymyr wladimir uladzimir vova|sergey sergei serhiy serhii siarhei serge|' +
  'dmitry dmitri dmitriy dmytro dzmitry dima|mikhail michael mykhailo mihail misha miguel michel mike mikhael mihai|' +
  'nikolai nikolay nicolas nicholas mykola nick kolya mikalai|andrey andrei andriy andrew andreas andre andres|' +
  'evgeny yevgeny evgeni yevgeniy yevhen eugene evgenii|yuri yury yuriy iurii iouri juri|igor ihor|oleg oleh|' +
  'pavel paul pavlo pablo paolo|petr pyotr peter petro pedro pierre pietro|ivan john jean juan johann giovanni ian jan johannes hans ioan|' +
  'konstantin kostyantyn constantine|grigory grigori hryhoriy gregory|aleksey alexei alexey oleksiy aleksei aliaksei|' +
  'anatoly anatoliy anatoli|vasily vasili vasyl basil|gennady gennadiy hennadiy|arkady arkadiy|valery valeri valeriy valerii|' +
  'viktor victor viktar|ludmila lyudmila liudmyla|tatiana tatyana tetiana tetyana|ekaterina yekaterina kateryna catherine katherine kate katya|' +
  'natalia natalya nataliya natasha|elena yelena olena helen helena|anna hanna ann anne|maria mariya mary marie|yulia yuliya julia iuliia|' +
  'hussein husayn hussain husein hossein husain hosein hussien khusein|hassan hasan khasan|ali aly|ahmed ahmad akhmed achmed ahmet|' +
  'osama usama oussama|omar umar omer|othman uthman osman usman ousmane|abdullah abdallah abdulla abdoullah|khalid khaled|' +
  'said saeed saeid sayeed saied|ismail esmail ismael ismaeel|mustafa mostafa moustapha moustafa|mahmoud mahmud mehmood|' +
  'jamal gamal djamal dzhamal|jihad dzhihad|qasim kassem qassem qasem kasim ghasem|suleiman sulayman solomon soliman sulaiman soleimani|' +
  'benjamin binyamin ben bibi|barack barak barry|william bill will billy liam|robert bob rob bobby|richard dick rick|james jim jimmy|' +
  'edward ed eddie ted|thomas tom tommy|anthony tony antonio|charles carlos karl carl charlie|frederick fred|elizabeth liz beth|' +
  'margaret maggie|david dave daoud dawood daud|daniel dan danny|samuel sam|joshua josh|steven steve stephen stefan stephan stepan|' +
  'christopher chris|matthew matt|patrick pat|kenneth ken|lawrence larry|ronald ron|donald don|george georgy georgiy heorhiy jorge giorgi|' +
  'francisco paco francis frank|henry henri enrique harry|moussa musa mousa moses|issa isa essa|yahya yehia iahia|younis yunus younes yunis jonas|' +
  'daoud dawud|jafar jaafar gaafar|fatima fatemeh fatma|zaynab zeinab zainab|aisha ayesha aicha|aboubakar abubakar|maxim maksim maksym|' +
  'roman|ramzan ramadan ramazan|kim gim|lee yi rhee li|park pak bak|choi choe|jung jeong chung|wladyslaw vladislav';

/** Groups that a given name belongs to. */
export const NAME_GROUPS: ReadonlyMap<string, readonly number[]> = (() => {
  const groups = new Map<string, number[]>();
  SAME_NAMES.split('|').forEach((names, group) => {
    for (const name of names.split(' ')) groups.set(name, [...(groups.get(name) ?? []), group]);
  });
  return groups;
})();
