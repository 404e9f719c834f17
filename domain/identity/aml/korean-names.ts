import { toKoreanSoundKey } from './phonetics';

/** Surnames in the romanisations of both Koreas and as they are written in passports. */
const SURNAMES = new Set(
  (
    'kim gim lee yi ri rhee li pak park bak choe choi choy chong jong jeong jung chung kang gang cho jo yun yoon chang jang im rim lim yim ' +
    'o oh han sin shin so seo suh kwon gwon hwang an ahn song ryu yu yoo you ryoo hong chon jon jeon jun chun ko go koh mun moon son sohn yang ' +
    'pae bae paek baek paik baik ho heo huh hur nam sim shim no ro roh noh ha kwak gwak song seong sung cha chu ju joo u woo ku gu koo min chin jin ' +
    'na ra chi ji om eom um won chae chon cheon pang bang kong gong hyon hyun hyeon ham pyon byeon byun yom yeom ryom yo yeo ryo to do sok seok ' +
    'sol seol ma kil gil wi pyo myong myung myeong ki gi pan ban kum geum ok yuk in maeng che mo thak tak kuk guk un eun yong ye pong bong sa pu bu'
  ).split(' '),
);

const SYLLABLE =
  '(?:kk|tt|pp|ss|jj|tch|chh|ch|kh|th|ph|sh|[gkndtrlmbpsjh])?' +
  '(?:yeo|yae|wae|weo|eo|eu|ae|ai|oe|oi|oo|ou|ui|ee|wi|wa|we|woo|wo|wu|ya|ye|yo|yu|[aeiou])' +
  '(?:ng|[nmlkgtdpb])?';
const KOREAN_WORD = new RegExp(`^(?:${SYLLABLE}){1,3}$`);

/** The phonetic key of a word that consists of one to three Korean syllables; empty for any other word. */
export const toKoreanKey = (word: string): string => (KOREAN_WORD.test(word) ? toKoreanSoundKey(word) : '');

/** Whether a name may be Korean: a Korean surname in front or at the end, and Korean syllables otherwise. */
export function isKoreanName(words: readonly { text: string; koreanKey: string }[]): boolean {
  if (words.length < 2 || words.length > 4 || words.some(({ koreanKey }) => koreanKey === '')) return false;
  return SURNAMES.has(words[0]?.text ?? '') || SURNAMES.has(words.at(-1)?.text ?? '');
}
