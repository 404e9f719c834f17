/** A queue that takes the items of each organisation in turn, so that many of one delay no other by more than one. */
export class FairQueue<T extends { organisationId: string | null }> {
  // In the order in which the organisations are served; a map keeps the order of insertion.
  private readonly byOrganisation = new Map<string | null, T[]>();
  /** Served last, so not next: its further items may have been added after it was taken from the map. */
  private lastServed: string | null | undefined;

  /** Whether no organisation has an item that waits. */
  get isEmpty(): boolean {
    return this.byOrganisation.size === 0;
  }

  /** Adds an item behind those of its organisation; items without an organisation count as those of one. */
  add(item: T): void {
    const waiting = this.byOrganisation.get(item.organisationId);
    if (waiting === undefined) this.byOrganisation.set(item.organisationId, [item]);
    else waiting.push(item);
  }

  /** The next item; its organisation is served again after all others that wait. */
  take(): T | undefined {
    const waitingOrganisations = [...this.byOrganisation];
    const next = waitingOrganisations.find(([id]) => id !== this.lastServed) ?? waitingOrganisations[0];
    if (next === undefined) return undefined;
    const [organisationId, waiting] = next;
    const item = waiting.shift();
    this.lastServed = organisationId;
    this.byOrganisation.delete(organisationId);
    if (waiting.length > 0) this.byOrganisation.set(organisationId, waiting);
    return item;
  }

  /** Removes and returns everything that waits. */
  clear(): T[] {
    const items = [...this.byOrganisation.values()].flat();
    this.byOrganisation.clear();
    return items;
  }
}
