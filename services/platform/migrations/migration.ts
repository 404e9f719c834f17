import type { ClientSession } from 'mongoose';
import type { Platform } from '../platform';

/** What a batch has done, in its transaction. */
export interface MigratedBatch {
  /** Where the next batch begins. */
  cursor: string;
  /** Number of records that it converted. */
  converted: number;
}

/** One run of a migration. */
export interface MigrationContext {
  platform: Platform;
  /** Where an interrupted run stopped; null at the beginning. */
  cursor: string | null;
  /**
   * Commits a batch in one transaction with the cursor from which the next batch begins, so that each batch takes effect
   * once, wherever the process is killed. Fails without effect if another process has taken over.
   * @param write may run several times, after transient errors
   */
  commit: (write: (mongoSession: ClientSession) => Promise<MigratedBatch>) => Promise<MigratedBatch>;
}

/**
 * A conversion of stored data to the form that this version of the code uses. Migrations are run in the order of their
 * numbers, each once, and never undone. Processes of the previous version read and write the same data meanwhile:
 * CONTRIBUTING.md says what a migration may do.
 */
export interface Migration {
  /** From 1, without gaps. */
  version: number;
  name: string;
  /** What it converts, for the operator. */
  summary: string;
  run: (context: MigrationContext) => Promise<void>;
}
