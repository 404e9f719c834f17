/** Counts the slots of this process that each organisation uses, so that none of them can use all. */
export class OrganisationSlots {
  private readonly used = new Map<string, number>();

  /** @param limit most slots of an organisation at the same time, from 1 */
  constructor(private readonly limit: number) {}

  /** Takes a slot of the organisation; `release` gives it back. @returns false if it uses its limit already */
  tryTake(organisationId: string): boolean {
    const used = this.used.get(organisationId) ?? 0;
    if (used >= this.limit) return false;
    this.used.set(organisationId, used + 1);
    return true;
  }

  /** Gives back a slot that was taken. */
  release(organisationId: string): void {
    const remaining = (this.used.get(organisationId) ?? 0) - 1;
    if (remaining > 0) this.used.set(organisationId, remaining);
    else this.used.delete(organisationId);
  }
}
