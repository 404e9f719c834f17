import type { ListedType } from './entry';
import { hashOf, openSections } from './flat-buffer';
import { gramCount, isShort, soughtGrams } from './grams';
import { normaliseIdentifier } from './identifiers';
import { TYPE_CODES, WEAK } from './list-index';
import type { IndexedEntry } from './list-index';
import { prepareName, tokenOf } from './names';
import type { NameClass, PreparedName, Token } from './names';
import { NAME_GROUPS } from './vocabulary';

/** A name of the list that shares words with the one asked about. */
export interface CandidateName {
  entry: number;
  name: number;
  weak: boolean;
}

/** Names looked at closely for each question, the likeliest first. */
const CANDIDATES = 80;
/** Words of the list compared with one word of the question. */
const LIKE_WORDS = 80;
/** Share of a word's pieces another must have to be compared with it. */
const SHARED_GRAMS = 0.26;
/** Words of the list whose forms a thread keeps, about 300 bytes each. */
const WORDS_LIMIT = 50_000;
/** Prepared names kept by a thread, about 400 bytes each. */
const PREPARED_LIMIT = 20_000;

/** Members of each group of given names. */
const GROUP_MEMBERS: ReadonlyMap<number, readonly string[]> = (() => {
  const members = new Map<number, string[]>();
  for (const [name, groups] of NAME_GROUPS) {
    for (const group of groups) members.set(group, [...(members.get(group) ?? []), name]);
  }
  return members;
})();

type HashTable = 'exact' | 'sound' | 'skeleton' | 'identifier';

/** What a word in every name of a list loses of its weight. */
const SHARPEST_RARITY = 0.55;

/** Reads one packed version of a list; any number of threads may read the same buffer. */
export class ListIndex {
  private readonly wordNames: Uint32Array;
  private readonly wordNamesEnds: Uint32Array;
  private readonly gramWords: Uint32Array;
  private readonly gramWordsEnds: Uint32Array;
  private readonly nameEntry: Uint32Array;
  private readonly nameFlags: Uint8Array;
  private readonly nameLengths: Uint8Array;
  private readonly entryType: Uint8Array;
  private readonly texts: Record<'word' | 'name' | 'entry', { bytes: Uint8Array; ends: Uint32Array }>;
  private readonly tables: Record<HashTable, { hashes: Uint32Array; values: Uint32Array }>;
  private readonly scores: Float32Array;
  private readonly stamps: Uint32Array;
  private readonly shared: Uint8Array;
  private readonly touchedWords: Uint32Array;
  private readonly prepared = new Map<number, PreparedName>();
  private readonly words = new Map<number, Token>();
  private stamp = 0;
  readonly entryCount: number;
  readonly nameCount: number;

  constructor(buffer: SharedArrayBuffer) {
    const sections = openSections(buffer);
    const bytes = (name: string): Uint8Array => sections.bytes(name);
    const numbers = (name: string): Uint32Array => sections.numbers(name);
    const text = (name: string) => ({ bytes: bytes(`${name}Text`), ends: numbers(`${name}Ends`) });
    const table = (name: HashTable) => ({ hashes: numbers(`${name}Hash`), values: numbers(`${name}Value`) });
    this.wordNames = numbers('wordNames');
    this.wordNamesEnds = numbers('wordNamesEnds');
    this.gramWords = numbers('gramWords');
    this.gramWordsEnds = numbers('gramWordsEnds');
    this.nameEntry = numbers('nameEntry');
    this.nameFlags = bytes('nameFlags');
    this.nameLengths = bytes('nameLengths');
    this.entryType = bytes('entryType');
    this.texts = { word: text('word'), name: text('name'), entry: text('entry') };
    this.tables = {
      exact: table('exact'),
      sound: table('sound'),
      skeleton: table('skeleton'),
      identifier: table('identifier'),
    };
    this.entryCount = this.entryType.length;
    this.nameCount = this.nameEntry.length;
    this.scores = new Float32Array(this.nameCount);
    this.stamps = new Uint32Array(this.nameCount);
    this.shared = new Uint8Array(this.texts.word.ends.length);
    this.touchedWords = new Uint32Array(this.texts.word.ends.length);
  }

  /** @returns the entry with everything known of it */
  entry(id: number): IndexedEntry {
    return JSON.parse(this.text('entry', id)) as IndexedEntry;
  }

  typeOf(entry: number): ListedType {
    return TYPE_CODES[this.entryType[entry] ?? -1] ?? 'unknown';
  }

  nameText(name: number): string {
    return this.text('name', name);
  }

  /** The name's words, kept for the next question. */
  nameOf(name: number, nameClass: NameClass): PreparedName {
    const known = this.prepared.get(name);
    if (known?.class === nameClass) return known;
    if (this.prepared.size >= PREPARED_LIMIT) this.prepared.clear();
    const prepared = prepareName(this.nameText(name), nameClass);
    this.prepared.set(name, prepared);
    return prepared;
  }

  /** How much a word tells here, 0–1: one in every name tells about half of what a rare one does. */
  readonly rarity = (token: Token): number => {
    const [word] = this.equal('exact', token.text);
    if (word === undefined || this.nameCount < 100) return token.weight;
    const occurs = (this.wordNamesEnds[word + 1] ?? 0) - (this.wordNamesEnds[word] ?? 0);
    const common = Math.log(Math.max(1, occurs)) / Math.log(this.nameCount);
    return token.weight * (1 - SHARPEST_RARITY * Math.max(0, common));
  };

  /** Entries that carry this document number. */
  entriesWithIdentifier(value: string): number[] {
    const normal = normaliseIdentifier(value);
    if (normal === null) return [];
    return [...new Set(this.equal('identifier', normal))].filter((id) =>
      this.entry(id).identifiers.some((identifier) => normaliseIdentifier(identifier.value) === normal),
    );
  }

  /**
   * Names that may stand for the name asked about, the likeliest first.
   * @param similarity how alike two words are, 0–1
   */
  candidates(query: PreparedName, similarity: (a: Token, b: Token) => number): CandidateName[] {
    const telling = query.tokens.filter(
      ({ kind }) => kind !== 'particle' && kind !== 'honorific' && kind !== 'initial',
    );
    const asked = telling.length === 0 ? [...query.tokens] : telling;
    const touched: number[] = [];
    for (const token of asked) this.addWord(token, this.likeWords(token), similarity, touched);
    // Words wrongly written apart are seldom misspelt as well.
    for (const token of joinedTokens(query.tokens)) this.addWord(token, this.sameWords(token), similarity, touched);
    const rank = (name: number): number => (this.scores[name] ?? 0) - 0.02 * (this.nameLengths[name] ?? 0);
    const best = touched.sort((a, b) => rank(b) - rank(a) || a - b).slice(0, CANDIDATES);
    const found = best.map((name) => ({
      entry: this.nameEntry[name] ?? 0,
      name,
      weak: this.nameFlags[name] === WEAK,
    }));
    for (const name of touched) this.scores[name] = 0;
    return found;
  }

  /** Adds a word's likeness to every name that has a word like it; of several, the most alike counts. */
  private addWord(
    token: Token,
    words: readonly number[],
    similarity: (a: Token, b: Token) => number,
    touched: number[],
  ): void {
    const { wordNames: names, wordNamesEnds: ends } = this;
    const weight = this.rarity(token);
    const like = words
      .map((word) => ({ word, alike: similarity(token, this.wordToken(word)) }))
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

  /** Words spelt or sounding like this one. */
  private sameWords(token: Token): number[] {
    return [...new Set([...this.equal('exact', token.text), ...this.equal('sound', token.sound)])];
  }

  /** Words that may be another spelling of this one. */
  private likeWords(token: Token): number[] {
    const words = new Set(this.sameWords(token));
    for (const skeleton of token.script === 'latin' ? [] : [token.skeleton, token.easternSkeleton]) {
      if (skeleton.length > 1) for (const word of this.equal('skeleton', skeleton)) words.add(word);
    }
    for (const group of token.groups) {
      for (const name of GROUP_MEMBERS.get(group) ?? []) for (const word of this.equal('exact', name)) words.add(word);
    }
    if (token.kind !== 'number') for (const word of this.similarlyWritten(token.text)) words.add(word);
    return [...words];
  }

  private similarlyWritten(text: string): number[] {
    const { gramWords, gramWordsEnds: ends, shared, touchedWords } = this;
    let touched = 0;
    for (const gram of soughtGrams(text)) {
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
      const share = this.shareOf(word, text.length);
      if (share >= SHARED_GRAMS) near.push({ word, share });
      shared[word] = 0;
    }
    if (near.length > LIKE_WORDS) near.sort((a, b) => b.share - a.share || a.word - b.word);
    return near.slice(0, LIKE_WORDS).map(({ word }) => word);
  }

  /** Share of its pieces that a counted word has in common with one of this length. */
  private shareOf(word: number, length: number): number {
    const { ends } = this.texts.word;
    const other = (ends[word + 1] ?? 0) - (ends[word] ?? 0);
    return (this.shared[word] ?? 0) / gramCount(Math.max(length, other), isShort(other));
  }

  /** Values filed under a text: those of another text with the same hash are sorted out by whoever compares. */
  private equal(table: HashTable, text: string): number[] {
    const { hashes, values } = this.tables[table];
    const wanted = hashOf(text);
    let [low, high] = [0, hashes.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((hashes[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    const found: number[] = [];
    for (; low < hashes.length && hashes[low] === wanted; low += 1) found.push(values[low] ?? 0);
    return found;
  }

  private wordToken(word: number): Token {
    const known = this.words.get(word);
    if (known !== undefined) return known;
    if (this.words.size >= WORDS_LIMIT) this.words.clear();
    const text = this.text('word', word);
    const token = tokenOf(text, /^\d+$/.test(text) ? 'number' : 'word');
    this.words.set(word, token);
    return token;
  }

  private text(kind: 'word' | 'name' | 'entry', id: number): string {
    const { bytes, ends } = this.texts[kind];
    const [start, end] = [ends[id] ?? 0, ends[id + 1] ?? 0];
    return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
  }
}

/** Neighbouring words as one, for lists that write together what the question writes apart. */
function joinedTokens(tokens: readonly Token[]): Token[] {
  const joined: Token[] = [];
  for (let at = 0; at + 1 < tokens.length; at += 1) {
    const text = `${tokens[at]?.text ?? ''}${tokens[at + 1]?.text ?? ''}`;
    if (text.length >= 5) joined.push(tokenOf(text, 'word', tokens[at]?.script));
  }
  return joined;
}
