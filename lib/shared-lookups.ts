import { SharedReads } from './shared-reads';

/**
 * Looks up records by id that many requests of one organisation need at the same time, such as the customers of
 * invoices. Callers that come while a lookup of their organisation is in progress share the next one, which asks for the
 * ids of all of them; see {@link SharedReads} for what a caller gets and when.
 *
 * The ids of one organisation are never combined with those of another.
 */
export class SharedLookups<T extends { id: number }> {
  /** Ids that the next lookup of an organisation asks for. */
  private readonly requested = new Map<string, Set<number>>();
  private readonly reads: SharedReads<Map<number, T>>;

  /** @param load reads the records of an organisation that have these ids */
  constructor(load: (organisationId: string, ids: number[]) => Promise<T[]>) {
    this.reads = new SharedReads(async (organisationId) => {
      const ids = [...(this.requested.get(organisationId) ?? [])];
      this.requested.delete(organisationId);
      const records = await load(organisationId, ids);
      return new Map(records.map((record) => [record.id, record]));
    });
  }

  /**
   * Reads records of an organisation.
   * @returns by id: those that exist, and those of callers that shared the lookup. No caller may change them.
   */
  async read(organisationId: string, ids: readonly number[]): Promise<Map<number, T>> {
    if (ids.length === 0) return new Map();
    const requested = this.requested.get(organisationId) ?? new Set();
    for (const id of ids) requested.add(id);
    this.requested.set(organisationId, requested);
    return this.reads.read(organisationId);
  }
}
