/**
 * Direct-mapped cache of values by number: a value overwrites another one of the same slot. It reads in a fraction of
 * the time of an LRU cache, which moves an entry whenever it is read.
 */
export class SlotCache<Value> {
  private readonly keys: Float64Array;
  private readonly values: (Value | undefined)[];

  /** @param slots maximum number of values */
  constructor(private readonly slots: number) {
    this.keys = new Float64Array(slots).fill(-1);
    this.values = new Array<Value | undefined>(slots).fill(undefined);
  }

  /** @param key a whole number ≥ 0 */
  get(key: number): Value | undefined {
    const slot = key % this.slots;
    return this.keys[slot] === key ? this.values[slot] : undefined;
  }

  /** @param key a whole number ≥ 0; any other key of the same slot is forgotten */
  set(key: number, value: Value): void {
    const slot = key % this.slots;
    this.keys[slot] = key;
    this.values[slot] = value;
  }
}
