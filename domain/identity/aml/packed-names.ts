import { getNameToken, NAME_CLASSES, TOKEN_KINDS } from './names';
import type { NameClass, PreparedName, Token } from './names';
import type { Section } from './flat-buffer';
import { SlotCache } from './slot-cache';
import { SCRIPTS } from './transliteration';
import { LEGAL_FORM_KINDS } from './vocabulary';

/*
 * The prepared names of a list, so that a search need not parse them again. `nameReadings` has for every reading of a
 * name a header and the numbers of its tokens. Bits of the header, from the lowest: class (2), whether it may be Korean
 * (1), legal form (8; 0: none), number of tokens (the rest).
 */
const CLASS_BITS = 2;
const KOREAN_BIT = 1 << CLASS_BITS;
const FORM_SHIFT = CLASS_BITS + 1;
const FORM_MASK = 0xff;
const COUNT_SHIFT = FORM_SHIFT + 8;

/** Cached tokens per list. */
const MAX_CACHED_TOKENS = 50_000;

/** Collects the tokens of prepared names. */
export class PackedNamesBuilder {
  private readonly numbers = new Map<Token, number>();
  private readonly readings: number[] = [];
  private readonly ends: number[] = [0];

  /** Adds the next name, parsed by each of its classes. */
  add(prepared: readonly PreparedName[]): void {
    for (const { class: nameClass, tokens, korean, legalForm } of prepared) {
      const form = legalForm === null ? 0 : LEGAL_FORM_KINDS.indexOf(legalForm) + 1;
      const header = NAME_CLASSES.indexOf(nameClass) | (korean ? KOREAN_BIT : 0) | (form << FORM_SHIFT);
      this.readings.push(header | (tokens.length << COUNT_SHIFT), ...tokens.map((token) => this.getNumber(token)));
    }
    this.ends.push(this.readings.length);
  }

  /** The distinct tokens, in the order of their numbers. */
  listTokenTexts(): string[] {
    return [...this.numbers.keys()].map(({ text }) => text);
  }

  /** The sections of the packed index from which `PackedNames` reads. */
  toSections(): Record<string, Section> {
    const tokens = [...this.numbers.keys()];
    return {
      tokenKinds: Uint8Array.from(tokens, ({ kind }) => TOKEN_KINDS.indexOf(kind)),
      tokenScripts: Uint8Array.from(tokens, ({ script }) => SCRIPTS.indexOf(script)),
      nameReadings: Uint32Array.from(this.readings),
      nameReadingsEnds: Uint32Array.from(this.ends),
    };
  }

  private getNumber(token: Token): number {
    const known = this.numbers.get(token);
    if (known !== undefined) return known;
    const number = this.numbers.size;
    this.numbers.set(token, number);
    return number;
  }
}

interface Sections {
  bytes(name: string): Uint8Array;
  numbers(name: string): Uint32Array;
}

/** Reads the prepared names of a packed list. */
export class PackedNames {
  private readonly kinds: Uint8Array;
  private readonly scripts: Uint8Array;
  private readonly readings: Uint32Array;
  private readonly ends: Uint32Array;
  private readonly tokens: SlotCache<Token>;

  /** @param readText the text of a token, by its number */
  constructor(
    sections: Sections,
    private readonly readText: (token: number) => string,
  ) {
    this.kinds = sections.bytes('tokenKinds');
    this.scripts = sections.bytes('tokenScripts');
    this.readings = sections.numbers('nameReadings');
    this.ends = sections.numbers('nameReadingsEnds');
    this.tokens = new SlotCache(Math.max(1, Math.min(MAX_CACHED_TOKENS, this.kinds.length)));
  }

  /** @returns null if the list has no reading of the name by this class */
  get(name: number, nameClass: NameClass): PreparedName | null {
    const end = this.ends[name + 1] ?? 0;
    for (let at = this.ends[name] ?? 0; at < end;) {
      const header = this.readings[at] ?? 0;
      const count = header >>> COUNT_SHIFT;
      if (NAME_CLASSES[header & (KOREAN_BIT - 1)] === nameClass) {
        const numbers = this.readings.subarray(at + 1, at + 1 + count);
        const form = (header >>> FORM_SHIFT) & FORM_MASK;
        return {
          class: nameClass,
          tokens: Array.from(numbers, (number) => this.getToken(number)),
          korean: (header & KOREAN_BIT) !== 0,
          legalForm: form === 0 ? null : (LEGAL_FORM_KINDS[form - 1] ?? null),
        };
      }
      at += 1 + count;
    }
    return null;
  }

  private getToken(number: number): Token {
    const cached = this.tokens.get(number);
    if (cached !== undefined) return cached;
    const [kind, script] = [TOKEN_KINDS[this.kinds[number] ?? -1], SCRIPTS[this.scripts[number] ?? -1]];
    if (kind === undefined || script === undefined) throw new RangeError(`The list has no token ${number}.`);
    const token = getNameToken(this.readText(number), kind, script);
    this.tokens.set(number, token);
    return token;
  }
}
