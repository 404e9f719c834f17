/** Processor time that any file may use without being counted: ordinary photographs and scans need less. */
const ORDINARY_SECONDS = 2;
/** Seconds above it that one organisation may use at once, and after how many seconds that is available again. */
const CAPACITY_SECONDS = 10;
const REFILL_SECONDS = 60;

interface Level {
  seconds: number;
  at: number;
}

/**
 * Counts the processor time of files that need unusually much of it, per organisation. Ordinary files are never counted,
 * so an organisation that submits many of them is not limited here; fair queues share the decoders then.
 */
export class OrganisationBudget {
  private readonly levels = new Map<string, Level>();

  /** @param now seconds; increases steadily */
  constructor(private readonly now: () => number = () => performance.now() / 1000) {}

  /** Records what a file used. */
  charge(organisationId: string | null, seconds: number): void {
    const excess = seconds - ORDINARY_SECONDS;
    if (organisationId === null || excess <= 0) return;
    this.levels.set(organisationId, { seconds: this.getLevel(organisationId) + excess, at: this.now() });
  }

  /** Seconds until another file of the organisation may be decoded; 0 for now. */
  getDelay(organisationId: string | null): number {
    if (organisationId === null) return 0;
    const level = this.getLevel(organisationId);
    if (level === 0) this.levels.delete(organisationId);
    return level <= CAPACITY_SECONDS ? 0 : Math.ceil((level - CAPACITY_SECONDS) * (REFILL_SECONDS / CAPACITY_SECONDS));
  }

  private getLevel(organisationId: string): number {
    const level = this.levels.get(organisationId);
    if (level === undefined) return 0;
    return Math.max(0, level.seconds - (this.now() - level.at) * (CAPACITY_SECONDS / REFILL_SECONDS));
  }
}
