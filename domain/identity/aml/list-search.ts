import type { ListedType } from './entry';
import { hashText, openSections } from './flat-buffer';
import { countMaxSharedGrams, isShortLength, listSearchGrams } from './grams';
import { normaliseIdentifier } from './identifiers';
import { TYPE_CODES, WEAK_NAME_FLAG } from './list-index';
import type { IndexedEntry } from './list-index';
import { prepareName, getNameToken } from './names';
import type { NameClass, PreparedName, Token } from './names';
import { PackedNames } from './packed-names';
import { SlotCache } from './slot-cache';
import { compareKoreanWords } from './token-similarity';
import { NAME_GROUPS } from './vocabulary';

/** A listed name that shares words with the query. */
export interface CandidateName {
  entry: number;
  name: number;
  weak: boolean;
}

/** Number of names that are scored per query, the best candidates first. */
const MAX_CANDIDATES = 80;
/** Number of listed words that are compared with one word of the query. */
const MAX_SIMILAR_WORDS = 80;
/** Minimum share of common grams for two words to be compared. */
const MIN_SHARED_GRAM_SHARE = 0.26;
/** Cached word tokens per index, about 300 bytes each. */
const MAX_CACHED_WORDS = 50_000;
/** Cached prepared names per index, about 400 bytes each. */
const MAX_CACHED_NAMES = 20_000;
/** Cached weights of tokens per index. */
const MAX_CACHED_WEIGHTS = 16_384;

/** Members of each group of given names. */
const GROUP_MEMBERS: ReadonlyMap<number, readonly string[]> = (() => {
  const members = new Map<number, string[]>();
  for (const [name, groups] of NAME_GROUPS) {
    for (const group of groups) members.set(group, [...(members.get(group) ?? []), name]);
  }
  return members;
})();

type HashTable = 'exact' | 'sound' | 'skeleton' | 'korean' | 'identifier';

/** Share of its weight that a word loses if it occurs in every name of a list. */
const MAX_RARITY_DISCOUNT = 0.55;

type Similarity = (a: Token, b: Token) => number;

/** Searches one packed version of a list; any number of threads may read the same buffer. */
export class ListIndex {
  private readonly wordNames: Uint32Array;
  private readonly wordNamesEnds: Uint32Array;
  private readonly gramWords: Uint32Array;
  private readonly gramWordsEnds: Uint32Array;
  private readonly nameEntry: Uint32Array;
  private readonly nameFlags: Uint8Array;
  private readonly nameLengths: Uint8Array;
  private readonly entryType: Uint8Array;
  private readonly texts: Record<'word' | 'token' | 'name' | 'entry', { bytes: Uint8Array; ends: Uint32Array }>;
  private readonly tables: Record<HashTable, { hashes: Uint32Array; values: Uint32Array }>;
  private readonly scores: Float32Array;
  private readonly stamps: Uint32Array;
  private readonly shared: Uint8Array;
  private readonly touchedWords: Uint32Array;
  private readonly packedNames: PackedNames;
  private readonly prepared: SlotCache<PreparedName>;
  private readonly words: SlotCache<Token>;
  private readonly weights = new SlotCache<number>(MAX_CACHED_WEIGHTS);
  private stamp = 0;
  readonly entryCount: number;
  readonly nameCount: number;

  constructor(buffer: SharedArrayBuffer) {
    const sections = openSections(buffer);
    const bytes = (name: string): Uint8Array => sections.bytes(name);
    const numbers = (name: string): Uint32Array => sections.numbers(name);
    const readTexts = (name: string) => ({ bytes: bytes(`${name}Text`), ends: numbers(`${name}Ends`) });
    const readTable = (name: HashTable) => ({ hashes: numbers(`${name}Hash`), values: numbers(`${name}Value`) });
    this.wordNames = numbers('wordNames');
    this.wordNamesEnds = numbers('wordNamesEnds');
    this.gramWords = numbers('gramWords');
    this.gramWordsEnds = numbers('gramWordsEnds');
    this.nameEntry = numbers('nameEntry');
    this.nameFlags = bytes('nameFlags');
    this.nameLengths = bytes('nameLengths');
    this.entryType = bytes('entryType');
    this.texts = {
      word: readTexts('word'),
      token: readTexts('token'),
      name: readTexts('name'),
      entry: readTexts('entry'),
    };
    this.packedNames = new PackedNames(sections, (token) => this.readText('token', token));
    this.tables = {
      exact: readTable('exact'),
      sound: readTable('sound'),
      skeleton: readTable('skeleton'),
      korean: readTable('korean'),
      identifier: readTable('identifier'),
    };
    this.entryCount = this.entryType.length;
    this.nameCount = this.nameEntry.length;
    this.prepared = new SlotCache(Math.max(1, Math.min(MAX_CACHED_NAMES, this.nameCount)));
    this.words = new SlotCache(Math.max(1, Math.min(MAX_CACHED_WORDS, this.texts.word.ends.length)));
    this.scores = new Float32Array(this.nameCount);
    this.stamps = new Uint32Array(this.nameCount);
    this.shared = new Uint8Array(this.texts.word.ends.length);
    this.touchedWords = new Uint32Array(this.texts.word.ends.length);
  }

  /** The entry with all stored facts. */
  getEntry(id: number): IndexedEntry {
    return JSON.parse(this.readText('entry', id)) as IndexedEntry;
  }

  /**
   * The type of an entry, by its id in the index; it is stored apart so that candidates are filtered without parsing
   * them.
   */
  getType(entry: number): ListedType {
    return TYPE_CODES[this.entryType[entry] ?? -1] ?? 'unknown';
  }

  /** A name as the list has it, by its id in the index. */
  getNameText(name: number): string {
    return this.readText('name', name);
  }

  /** The tokens of a listed name, cached for later queries. */
  getPreparedName(name: number, nameClass: NameClass): PreparedName {
    const cached = this.prepared.get(name);
    if (cached?.class === nameClass) return cached;
    const prepared = this.packedNames.get(name, nameClass) ?? prepareName(this.getNameText(name), nameClass);
    this.prepared.set(name, prepared);
    return prepared;
  }

  /** Weight of a word in this list, 0–1: a word in every name has about half the weight of a rare one. */
  readonly weighToken = (token: Token): number => {
    const cached = this.weights.get(token.id);
    if (cached !== undefined) return cached;
    const weight = this.computeWeight(token);
    this.weights.set(token.id, weight);
    return weight;
  };

  private computeWeight(token: Token): number {
    const [word] = this.lookUp('exact', token.text);
    if (word === undefined || this.nameCount < 100) return token.weight;
    const occurs = (this.wordNamesEnds[word + 1] ?? 0) - (this.wordNamesEnds[word] ?? 0);
    const common = Math.log(Math.max(1, occurs)) / Math.log(this.nameCount);
    return token.weight * (1 - MAX_RARITY_DISCOUNT * Math.max(0, common));
  }

  /** Entries with this document number. */
  findByIdentifier(value: string): number[] {
    const normal = normaliseIdentifier(value);
    if (normal === null) return [];
    return [...new Set(this.lookUp('identifier', normal))].filter((id) =>
      this.getEntry(id).identifiers.some((identifier) => normaliseIdentifier(identifier.value) === normal),
    );
  }

  /**
   * Listed names that may match the query, best candidates first.
   * @param similarity similarity of two words, 0–1
   */
  findCandidates(query: PreparedName, similarity: Similarity): CandidateName[] {
    const compare: Similarity = query.korean
      ? (a, b) => Math.max(similarity(a, b), compareKoreanWords(a, b))
      : similarity;
    const significant = query.tokens.filter(
      ({ kind }) => kind !== 'particle' && kind !== 'honorific' && kind !== 'initial',
    );
    const queryTokens = significant.length === 0 ? [...query.tokens] : significant;
    const touched: number[] = [];
    for (const token of queryTokens)
      this.scoreWord(token, this.findSimilarWords(token, query.korean), compare, touched);
    // Words that are wrongly split are rarely misspelt as well.
    for (const token of joinNeighbours(query.tokens))
      this.scoreWord(token, this.findEqualWords(token, query.korean), compare, touched);
    const rank = (name: number): number => (this.scores[name] ?? 0) - 0.02 * (this.nameLengths[name] ?? 0);
    const best = touched.sort((a, b) => rank(b) - rank(a) || a - b).slice(0, MAX_CANDIDATES);
    const found = best.map((name) => ({
      entry: this.nameEntry[name] ?? 0,
      name,
      weak: this.nameFlags[name] === WEAK_NAME_FLAG,
    }));
    for (const name of touched) this.scores[name] = 0;
    return found;
  }

  /**
   * Adds the similarity of a word to every name that contains a similar word; of several words the most similar counts.
   */
  private scoreWord(token: Token, words: readonly number[], similarity: Similarity, touched: number[]): void {
    const { wordNames: names, wordNamesEnds: ends } = this;
    const weight = this.weighToken(token);
    const like = words
      .map((word) => ({ word, alike: similarity(token, this.getWordToken(word)) }))
      .filter(({ alike }) => alike > 0)
      .sort((a, b) => b.alike - a.alike);
    this.stamp += 1;
    for (const { word, alike } of like) {
      for (let at = ends[word] ?? 0; at < (ends[word + 1] ?? 0); at += 1) {
        const name = names[at] ?? 0;
        if (this.stamps[name] === this.stamp) continue;
        this.stamps[name] = this.stamp;
        if (this.scores[name] === 0) touched.push(name);
        this.scores[name] = (this.scores[name] ?? 0) + alike * weight;
      }
    }
  }

  /** Listed words with the same spelling or phonetic key. */
  private findEqualWords(token: Token, korean: boolean): number[] {
    const romanisations = korean && token.koreanKey !== '' ? this.lookUp('korean', token.koreanKey) : [];
    return [...new Set([...this.lookUp('exact', token.text), ...this.lookUp('sound', token.sound), ...romanisations])];
  }

  /** Listed words that may be another spelling of this one. */
  private findSimilarWords(token: Token, korean: boolean): number[] {
    const words = new Set(this.findEqualWords(token, korean));
    for (const skeleton of token.script === 'latin' ? [] : [token.skeleton, token.easternSkeleton]) {
      if (skeleton.length > 1) for (const word of this.lookUp('skeleton', skeleton)) words.add(word);
    }
    for (const group of token.groups) {
      for (const name of GROUP_MEMBERS.get(group) ?? []) for (const word of this.lookUp('exact', name)) words.add(word);
    }
    if (token.kind !== 'number') for (const word of this.findWordsBySharedGrams(token.text)) words.add(word);
    return [...words];
  }

  private findWordsBySharedGrams(text: string): number[] {
    const { gramWords, gramWordsEnds: ends, shared, touchedWords } = this;
    let touched = 0;
    for (const gram of listSearchGrams(text)) {
      const end = ends[gram + 1] ?? 0;
      for (let at = ends[gram] ?? 0; at < end; at += 1) {
        const word = gramWords[at] ?? 0;
        const count = shared[word] ?? 0;
        if (count === 0) touchedWords[touched++] = word;
        shared[word] = count + 1;
      }
    }
    const near: { word: number; share: number }[] = [];
    for (let at = 0; at < touched; at += 1) {
      const word = touchedWords[at] ?? 0;
      const share = this.computeSharedGramShare(word, text.length);
      if (share >= MIN_SHARED_GRAM_SHARE) near.push({ word, share });
      shared[word] = 0;
    }
    if (near.length > MAX_SIMILAR_WORDS) near.sort((a, b) => b.share - a.share || a.word - b.word);
    return near.slice(0, MAX_SIMILAR_WORDS).map(({ word }) => word);
  }

  /** Share of grams that a counted word has in common with a word of this length. */
  private computeSharedGramShare(word: number, length: number): number {
    const { ends } = this.texts.word;
    const other = (ends[word + 1] ?? 0) - (ends[word] ?? 0);
    return (this.shared[word] ?? 0) / countMaxSharedGrams(Math.max(length, other), isShortLength(other));
  }

  /** Values stored under a text's hash; callers compare the texts, which excludes hash collisions. */
  private lookUp(table: HashTable, text: string): number[] {
    const { hashes, values } = this.tables[table];
    const hash = hashText(text);
    let [low, high] = [0, hashes.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((hashes[middle] ?? 0) < hash) low = middle + 1;
      else high = middle;
    }
    const found: number[] = [];
    for (; low < hashes.length && hashes[low] === hash; low += 1) found.push(values[low] ?? 0);
    return found;
  }

  private getWordToken(word: number): Token {
    const cached = this.words.get(word);
    if (cached !== undefined) return cached;
    const text = this.readText('word', word);
    const token = getNameToken(text, /^\d+$/.test(text) ? 'number' : 'word');
    this.words.set(word, token);
    return token;
  }

  private readText(kind: 'word' | 'token' | 'name' | 'entry', id: number): string {
    const { bytes, ends } = this.texts[kind];
    const [start, end] = [ends[id] ?? 0, ends[id + 1] ?? 0];
    return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
  }
}

/** Pairs of adjacent words joined, for lists that write as one word what the query writes as two. */
function joinNeighbours(tokens: readonly Token[]): Token[] {
  const joined: Token[] = [];
  for (let at = 0; at + 1 < tokens.length; at += 1) {
    const text = `${tokens[at]?.text ?? ''}${tokens[at + 1]?.text ?? ''}`;
    if (text.length >= 5) joined.push(getNameToken(text, 'word', tokens[at]?.script));
  }
  return joined;
}
