import { getNameToken } from './names';
import type { PreparedName, Token } from './names';
import { compareKoreanWords, computeTokenSimilarity } from './token-similarity';

/** Weight of a token, 0–1: its own weight, reduced in a list that contains it often. */
export type TokenWeigher = (token: Token) => number;

/** Words of one name that are matched with words of the other. */
export interface Alignment {
  query: readonly Token[];
  listed: readonly Token[];
  similarity: number;
  weight: number;
  /** Whether the match is an initial for a full name. */
  initials: boolean;
}

export interface NameScore {
  /** Score from 0 to 1. */
  score: number;
  aligned: readonly Alignment[];
  /** Words of the query without a counterpart in the listed name. */
  extra: readonly Token[];
  /** Words of the listed name without a counterpart in the query. */
  missing: readonly Token[];
  /** Whether both names state a legal form, and not the same one. */
  legalFormsDiffer: boolean;
}

/** Cost of unmatched words, as a share of their weight. */
interface LeftoverCosts {
  /** Unmatched words on both sides, which contradict each other. */
  conflict: number;
  /** Further unmatched words of the query. */
  extra: number;
  /** Further unmatched words of the listed name. */
  missing: number;
}

/** Middle names of people are often omitted, while every word of a company's name distinguishes it from others. */
const LEFTOVER_COSTS: Record<PreparedName['class'], LeftoverCosts> = {
  person: { conflict: 1.35, extra: 0.3, missing: 0.22 },
  organisation: { conflict: 1.3, extra: 0.75, missing: 0.75 },
  craft: { conflict: 1.3, extra: 0.9, missing: 0.9 },
};

/** Maximum number of adjacent words that are compared as one. */
const MAX_RUN_LENGTH = 3;
/** Joined words must be nearly identical to count. */
const MIN_JOINED_SIMILARITY = 0.86;
const INITIAL_SIMILARITY = 0.86;

/** Adjacent words that are compared as one. */
class Run {
  /** Number of letters. */
  readonly length: number;
  /** First letters, or null if one of the words is not a name. */
  readonly initials: string | null;
  private joinedToken?: Token;

  constructor(
    readonly tokens: readonly Token[],
    /** One bit per word of the name. */
    readonly mask: number,
  ) {
    this.length = tokens.reduce((sum, { text }) => sum + text.length, 0);
    this.initials = tokens.every(isName) ? tokens.map(({ text }) => text.charAt(0)).join('') : null;
  }

  /** The words as one; made when first read, since most runs are too long or too short to be compared. */
  get joined(): Token {
    return (this.joinedToken ??= joinTokens(this.tokens));
  }
}

function joinTokens(tokens: readonly Token[]): Token {
  const [first] = tokens;
  if (first !== undefined && tokens.length === 1) return first;
  return getNameToken(tokens.map(({ text }) => text).join(''), 'word', first?.script);
}

const isName = ({ kind }: Token): boolean => kind === 'word' || kind === 'trade';

/** Single words and joined runs of adjacent words. */
function listRuns(tokens: readonly Token[]): Run[] {
  const cached = runCache.get(tokens);
  if (cached !== undefined) return cached;
  const runs: Run[] = tokens.map((token, at) => new Run([token], 1 << at));
  for (let length = 2; length <= MAX_RUN_LENGTH; length += 1) {
    for (let start = 0; start + length <= tokens.length; start += 1) {
      runs.push(new Run(tokens.slice(start, start + length), ((1 << length) - 1) << start));
    }
  }
  runCache.set(tokens, runs);
  return runs;
}

const runCache = new WeakMap<readonly Token[], Run[]>();

/** Matches `J.` with `Jean`, and `JC` with `Jean Claude`. */
function computeInitialsSimilarity(short: Run, long: Run): number {
  const [initials] = short.tokens;
  if (short.tokens.length !== 1 || initials === undefined || long.initials !== initials.text) return 0;
  const matches = long.tokens.length === 1 ? initials.kind === 'initial' : initials.kind === 'word';
  return matches ? INITIAL_SIMILARITY : 0;
}

type Similarity = (a: Token, b: Token) => number;

/** Maximum difference in length between two spellings of one word. */
const LENGTH_TOLERANCE = 2;

const isLettered = ({ tokens: [first] }: Run): boolean => first?.script === 'latin' || first?.script === 'alphabet';

/**
 * Words in phonetic scripts cannot be nearly identical if one is much longer, or if neither their first nor their last
 * sounds agree.
 */
function cannotBeSameWord(a: Run, b: Run): boolean {
  if (!isLettered(a) || !isLettered(b)) return false;
  if (Math.abs(a.length - b.length) > LENGTH_TOLERANCE) return true;
  const [soundA, soundB] = [a.joined.sound, b.joined.sound];
  return soundA.charAt(0) !== soundB.charAt(0) && soundA.at(-1) !== soundB.at(-1);
}

function computeRunSimilarity(query: Run, listed: Run, initials: number, similarity: Similarity): number {
  if (query.tokens.length === 1 && listed.tokens.length === 1) {
    return Math.max(initials, similarity(query.joined, listed.joined));
  }
  if (Math.max(query.length, listed.length) < 5 || cannotBeSameWord(query, listed)) return initials;
  const joinedSimilarity = similarity(query.joined, listed.joined);
  return Math.max(initials, joinedSimilarity >= MIN_JOINED_SIMILARITY ? joinedSimilarity : 0);
}

const sumWeights = (tokens: readonly Token[], weighToken: TokenWeigher): number =>
  tokens.reduce((sum, token) => sum + weighToken(token), 0);

/** If both names have unmatched words, an initial counts as much as a full name. */
const sumLeftoverWeights = (tokens: readonly Token[], weighToken: TokenWeigher, contradicted: boolean): number =>
  tokens.reduce((sum, token) => sum + (contradicted && token.kind === 'initial' ? 1 : weighToken(token)), 0);

interface Candidate {
  query: Run;
  listed: Run;
  similarity: number;
  weight: number;
  initials: boolean;
}

interface Comparison {
  query: PreparedName;
  listed: PreparedName;
  weights: { query: TokenWeigher; listed: TokenWeigher };
  similarity: Similarity;
}

function findCandidatePairs({ query, listed, weights, similarity: compareTokens }: Comparison): Candidate[] {
  const listedRuns = listRuns(listed.tokens);
  const found: Candidate[] = [];
  for (const queryRun of listRuns(query.tokens)) {
    for (const listedRun of listedRuns) {
      if (queryRun.tokens.length > 1 && listedRun.tokens.length > 1) continue;
      const initials = Math.max(
        computeInitialsSimilarity(queryRun, listedRun),
        computeInitialsSimilarity(listedRun, queryRun),
      );
      const similarity = computeRunSimilarity(queryRun, listedRun, initials, compareTokens);
      if (similarity === 0) continue;
      const weight = (sumWeights(queryRun.tokens, weights.query) + sumWeights(listedRun.tokens, weights.listed)) / 2;
      found.push({ query: queryRun, listed: listedRun, similarity, weight, initials: similarity === initials });
    }
  }
  // Most similar first; equal ones by weight, then by spelling, so that the result does not depend on the order.
  return found.sort(
    (a, b) =>
      b.similarity - a.similarity ||
      b.weight - a.weight ||
      (a.query.joined.text + a.listed.joined.text < b.query.joined.text + b.listed.joined.text ? -1 : 1),
  );
}

/** Matches words greedily, most similar first, each word at most once. */
function align(comparison: Comparison) {
  const { query, listed } = comparison;
  let usedQuery = 0;
  let usedListed = 0;
  const aligned: Alignment[] = [];
  for (const pair of findCandidatePairs(comparison)) {
    if ((usedQuery & pair.query.mask) !== 0 || (usedListed & pair.listed.mask) !== 0) continue;
    usedQuery |= pair.query.mask;
    usedListed |= pair.listed.mask;
    aligned.push({
      query: pair.query.tokens,
      listed: pair.listed.tokens,
      similarity: pair.similarity,
      weight: pair.weight,
      initials: pair.initials,
    });
  }
  const listLeftovers = (tokens: readonly Token[], used: number): Token[] =>
    tokens.filter((token, at) => (used & (1 << at)) === 0 && !isRepeated(token, tokens, used));
  return { aligned, extra: listLeftovers(query.tokens, usedQuery), missing: listLeftovers(listed.tokens, usedListed) };
}

/** A repeated word counts once. */
const isRepeated = (token: Token, tokens: readonly Token[], used: number): boolean =>
  tokens.some((other, at) => (used & (1 << at)) !== 0 && other.text === token.text);

const selectSignificant = (tokens: readonly Token[]): Token[] =>
  tokens.filter(({ kind }) => kind !== 'particle' && kind !== 'honorific');

/** A single matching name of a person, however rare, is never a match by itself. */
const ONE_NAME_CEILING = 0.66;
/** Different numbers denote different ships or brigades. */
const NUMBER_CEILING = 0.6;
const INITIALS_CEILING = 0.6;

function computeScoreCeiling(
  query: PreparedName,
  listed: PreparedName,
  aligned: readonly Alignment[],
  left: readonly Token[],
): number {
  let maxScore = 1;
  if (query.class !== 'person') {
    const numbers = left.filter(({ kind }) => kind === 'number');
    if (numbers.length > 0) maxScore = Math.min(maxScore, NUMBER_CEILING);
  } else {
    const names = Math.max(selectSignificant(query.tokens).length, selectSignificant(listed.tokens).length);
    const agreed = aligned.flatMap((pair) => (pair.query.length > pair.listed.length ? pair.query : pair.listed));
    const whole = selectSignificant(agreed).filter(({ kind }) => kind === 'word').length;
    if (names > 1 && whole < 2 && !agreed.some(({ kind }) => kind === 'initial'))
      maxScore = Math.min(maxScore, ONE_NAME_CEILING);
    if (names > 1 && whole === 0) maxScore = Math.min(maxScore, INITIALS_CEILING);
    const initials = aligned.filter((pair) => pair.initials).length;
    if (initials > 0 && initials === aligned.length) maxScore = Math.min(maxScore, INITIALS_CEILING);
  }
  return maxScore;
}

const LEGAL_FORM_FACTOR = 0.66;
const LOOSE_FORMS = new Set(['company', 'group']);

function legalFormsDiffer(a: PreparedName, b: PreparedName): boolean {
  if (a.legalForm === null || b.legalForm === null || a.legalForm === b.legalForm) return false;
  return !LOOSE_FORMS.has(a.legalForm) && !LOOSE_FORMS.has(b.legalForm);
}

/** Matches `PLA` with `People's Liberation Army`. */
function isAcronym(short: PreparedName, long: PreparedName): boolean {
  const [only] = short.tokens;
  if (short.class === 'person' || short.tokens.length !== 1 || only === undefined || long.tokens.length < 3)
    return false;
  return only.text.length >= 3 && only.text === long.tokens.map(({ text }) => text.charAt(0)).join('');
}

const ACRONYM_SCORE = 0.72;

/** Share of the score that depends on the least similar pair of words. */
const WORST_SHARE = 0.38;

const getOwnWeight: TokenWeigher = ({ weight }) => weight;

/**
 * Scores how well a listed name matches the queried name, 0–1. Words are matched by similarity in any order; unmatched
 * words reduce the score, most if both names have unmatched words that contradict each other.
 *
 * Symmetrical if `weights` are and both names or neither have unmatched words.
 */
export function scoreNames(
  query: PreparedName,
  listed: PreparedName,
  weights: { query: TokenWeigher; listed: TokenWeigher } = { query: getOwnWeight, listed: getOwnWeight },
  similarity: Similarity = computeTokenSimilarity,
): NameScore {
  const compare: Similarity =
    query.korean && listed.korean ? (a, b) => Math.max(similarity(a, b), compareKoreanWords(a, b)) : similarity;
  const { aligned, extra, missing } = align({ query, listed, weights, similarity: compare });
  const formsDiffer = legalFormsDiffer(query, listed);
  const buildScore = (score: number): NameScore => ({ score, aligned, extra, missing, legalFormsDiffer: formsDiffer });
  if (isAcronym(query, listed) || isAcronym(listed, query)) return buildScore(ACRONYM_SCORE);
  const matched = aligned.reduce((sum, { weight }) => sum + weight, 0);
  if (matched === 0) return buildScore(0);
  const agreed = aligned.reduce((sum, { similarity, weight }) => sum + similarity * weight, 0);
  const contradicted = selectSignificant(extra).length > 0 && selectSignificant(missing).length > 0;
  const extraWeight = sumLeftoverWeights(extra, weights.query, contradicted);
  const missingWeight = sumLeftoverWeights(missing, weights.listed, contradicted);
  const conflict = Math.min(extraWeight, missingWeight);
  const costs = LEFTOVER_COSTS[query.class];
  const burden =
    costs.conflict * conflict + costs.extra * (extraWeight - conflict) + costs.missing * (missingWeight - conflict);
  const worst = Math.min(...aligned.filter(({ weight }) => weight >= 0.4).map(({ similarity }) => similarity), 1);
  const score =
    (agreed / (matched + burden)) * (1 - WORST_SHARE + WORST_SHARE * worst) * (formsDiffer ? LEGAL_FORM_FACTOR : 1);
  return buildScore(Math.min(score, computeScoreCeiling(query, listed, aligned, [...extra, ...missing])));
}
