/** An attempt as the Temporal UI shows it: ids and codes, without the event's content. */
export interface AttemptSummary {
  deliveryId: string;
  attempt: number;
  /** HTTP status or failure code. */
  answer: string;
  /** Status of the delivery afterwards. */
  status: string;
}

/** What an activity has attempted, for its workflow and the Temporal UI. */
export interface DeliveryProgress {
  /** Number of attempts by answer: HTTP status or failure code. */
  answers: Record<string, number>;
  /** The attempts; of many, first those that did not succeed. */
  attempts: AttemptSummary[];
  /** Seconds until the next attempt of a delivery to the webhook, 0 if one is due; null if no delivery is pending. */
  nextAttemptInSeconds: number | null;
}

/** Keeps histories small: every attempt is in the record of its delivery. */
const MAX_LISTED = 50;

/** Collects the attempts of one activity. */
export class DeliverySummary {
  private readonly answers = new Map<string, number>();
  private readonly succeeded: AttemptSummary[] = [];
  private readonly others: AttemptSummary[] = [];

  /** Counts an attempt, and keeps it while its list is not full. */
  add(attempt: AttemptSummary): void {
    this.answers.set(attempt.answer, (this.answers.get(attempt.answer) ?? 0) + 1);
    const list = attempt.status === 'succeeded' ? this.succeeded : this.others;
    if (list.length < MAX_LISTED) list.push(attempt);
  }

  /** @param nextAttemptInSeconds 0 if an attempt is due, null if no delivery is pending */
  toProgress(nextAttemptInSeconds: number | null): DeliveryProgress {
    const attempts = [...this.others, ...this.succeeded].slice(0, MAX_LISTED);
    return { answers: Object.fromEntries(this.answers), attempts, nextAttemptInSeconds };
  }
}
