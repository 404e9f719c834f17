import { ENTITY_TYPES } from './entry';
import type { ListedType, WatchListEntry } from './entry';
import { hashText, packSections } from './flat-buffer';
import { GRAM_COUNT, listGrams } from './grams';
import { normaliseIdentifier } from './identifiers';
import { getNameClass, prepareName } from './names';
import type { NameClass, Token } from './names';
import { PackedNamesBuilder } from './packed-names';
import { toKoreanKey } from './korean-names';
import { toConsonantSkeleton, toSoundKey } from './phonetics';

/** An entry as stored in the index, with facts about its versions. */
export interface IndexedEntry extends WatchListEntry {
  /** SHA-256 of the entry's facts; changes if and only if the entry changes. */
  hash: string;
  /** Import instants of the versions that added and last changed it, ISO 8601. */
  firstSeen: string;
  lastChanged: string;
}

/** Order of the type codes in the index. */
export const TYPE_CODES: readonly ListedType[] = [...ENTITY_TYPES, 'unknown'];

export const WEAK_NAME_FLAG = 1;

/** Name classes under which the names of a type are indexed. */
export const listNameClasses = (type: ListedType): NameClass[] =>
  type === 'unknown' ? ['person', 'organisation'] : [getNameClass(type)];

/** Words under which a name is indexed: its own and, for names written without spaces, all of them joined. */
export function listIndexWords(tokens: readonly Token[]): string[] {
  const words = tokens.map(({ text }) => text);
  return words.length > 1 && words.length <= 4 ? [...words, words.join('')] : words;
}

class TextTable {
  private readonly parts: Buffer[] = [];
  private readonly ends: number[] = [0];
  private length = 0;

  add(text: string): void {
    const bytes = Buffer.from(text, 'utf8');
    this.parts.push(bytes);
    this.length += bytes.length;
    this.ends.push(this.length);
  }

  toSections(name: string): Record<string, Uint8Array | Uint32Array> {
    return { [`${name}Text`]: Buffer.concat(this.parts), [`${name}Ends`]: Uint32Array.from(this.ends) };
  }
}

/** Concatenated posting lists with their end offsets. */
function buildPostings(lists: readonly (readonly number[])[], name: string): Record<string, Uint32Array> {
  const ends = new Uint32Array(lists.length + 1);
  lists.forEach((list, at) => (ends[at + 1] = (ends[at] ?? 0) + list.length));
  const all = new Uint32Array(ends[lists.length] ?? 0);
  lists.forEach((list, at) => all.set(list, ends[at]));
  return { [name]: all, [`${name}Ends`]: ends };
}

/** Hashes in ascending order with the values they stand for. */
function buildHashTable(pairs: readonly (readonly [number, number])[], name: string): Record<string, Uint32Array> {
  const sorted = [...pairs].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return {
    [`${name}Hash`]: Uint32Array.from(sorted, ([hash]) => hash),
    [`${name}Value`]: Uint32Array.from(sorted, ([, value]) => value),
  };
}

/**
 * Collects the entries of one version of a list and builds its search index: postings from words to names, tables of
 * phonetic keys, consonant skeletons and identifiers, postings from grams to words, the prepared names, and each entry
 * in JSON.
 */
export class ListIndexBuilder {
  private readonly words = new Map<string, number>();
  private readonly wordNames: number[][] = [];
  private readonly entries = new TextTable();
  private readonly names = new TextTable();
  private readonly packedNames = new PackedNamesBuilder();
  private readonly entryTypes: number[] = [];
  private readonly nameEntries: number[] = [];
  private readonly nameFlags: number[] = [];
  private readonly nameLengths: number[] = [];
  private readonly identifiers: [number, number][] = [];

  /** Adds an entry, whose id in the index is its position; names that it repeats are indexed once. */
  add(entry: IndexedEntry): void {
    const id = this.entryTypes.length;
    this.entryTypes.push(TYPE_CODES.indexOf(entry.type));
    this.entries.add(JSON.stringify(entry));
    const addedNames = new Set<string>();
    for (const { name, weak } of [{ name: entry.caption, weak: false }, ...entry.aliases]) {
      if (addedNames.has(name)) continue;
      addedNames.add(name);
      this.addName(id, entry.type, name, weak);
    }
    for (const { value } of entry.identifiers) {
      const normal = normaliseIdentifier(value);
      if (normal !== null) this.identifiers.push([hashText(normal), id]);
    }
  }

  private addName(entry: number, type: ListedType, name: string, weak: boolean): void {
    const prepared = listNameClasses(type).map((nameClass) => prepareName(name, nameClass));
    const words = new Set(prepared.flatMap(({ tokens }) => listIndexWords(tokens)));
    if (words.size === 0) return;
    const id = this.nameEntries.length;
    this.nameEntries.push(entry);
    this.nameFlags.push(weak ? WEAK_NAME_FLAG : 0);
    this.nameLengths.push(Math.min(255, Math.max(...prepared.map(({ tokens }) => tokens.length))));
    this.names.add(name);
    this.packedNames.add(prepared);
    for (const word of words) {
      const wordId = this.words.get(word);
      if (wordId !== undefined) this.wordNames[wordId]?.push(id);
      else {
        this.words.set(word, this.wordNames.length);
        this.wordNames.push([id]);
      }
    }
  }

  /** Builds the index; the builder must not be used afterwards. */
  build(): SharedArrayBuffer {
    const words = [...this.words.keys()];
    const texts = new TextTable();
    const tokens = new TextTable();
    for (const text of this.packedNames.listTokenTexts()) tokens.add(text);
    const grams: number[][] = Array.from({ length: GRAM_COUNT }, () => []);
    words.forEach((word, id) => {
      texts.add(word);
      for (const gram of listGrams(word)) grams[gram]?.push(id);
    });
    const hashWords = (key: (word: string) => string): [number, number][] =>
      words.map((word, id) => [hashText(key(word)), id]);
    return packSections({
      ...texts.toSections('word'),
      ...buildPostings(this.wordNames, 'wordNames'),
      ...buildPostings(grams, 'gramWords'),
      ...buildHashTable(
        hashWords((word) => word),
        'exact',
      ),
      ...buildHashTable(hashWords(toSoundKey), 'sound'),
      ...buildHashTable(hashWords(toConsonantSkeleton), 'skeleton'),
      ...buildHashTable(
        words.flatMap((word, id): [number, number][] => {
          const key = toKoreanKey(word);
          return key === '' ? [] : [[hashText(key), id]];
        }),
        'korean',
      ),
      ...buildHashTable(this.identifiers, 'identifier'),
      ...this.names.toSections('name'),
      ...tokens.toSections('token'),
      ...this.packedNames.toSections(),
      nameEntry: Uint32Array.from(this.nameEntries),
      nameFlags: Uint8Array.from(this.nameFlags),
      nameLengths: Uint8Array.from(this.nameLengths),
      ...this.entries.toSections('entry'),
      entryType: Uint8Array.from(this.entryTypes),
    });
  }
}
