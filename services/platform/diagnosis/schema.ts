import { MINUTE_MS } from '../../../domain/durations';
import { VERSION } from '../../../lib/version';
import type { SchemaStatus } from '../migrations/schema-state';
import { MAX_EXAMPLES } from './problem';
import type { Problem } from './problem';

/** A batch is committed within a transaction, which ends after at most half a minute. */
const WITHOUT_PROGRESS_MS = 5 * MINUTE_MS;

function describeRun({ running, current }: SchemaStatus, now: Date): Pick<Problem, 'summary' | 'remedy'> {
  if (!running)
    return {
      summary:
        current === null
          ? 'Migrations are pending and no process runs them: API and workers wait'
          : 'A migration was interrupted and no process continues it: API and workers wait',
      remedy: 'Run `npm run admin -- migrate`, which continues after the last batch (docs/how-to/upgrade.md).',
    };
  if (current !== null && now.getTime() - current.updatedAt.getTime() > WITHOUT_PROGRESS_MS)
    return {
      summary: 'A process migrates the database without progress',
      remedy: 'Read its log and end it: another run continues after its last batch (docs/runbooks/stuck-migration.md).',
    };
  return {
    summary: 'A process migrates the database: API and workers wait',
    remedy: 'Wait until `npm run admin -- migrate --status` prints no pending migration.',
  };
}

/** Migrations that are pending, interrupted or running, or a database that a newer version has migrated. */
export function diagnoseSchema(status: SchemaStatus, now: Date): Problem[] {
  const { version, latest, release, pending, current } = status;
  if (version > latest)
    return [
      {
        area: 'schema',
        summary: `The database has schema version ${version}, written by Vouch ${release}; this is Vouch ${VERSION}, which knows version ${latest}`,
        count: version - latest,
        since: null,
        examples: [],
        remedy:
          'Start the newer Vouch, or restore a backup from before the upgrade (docs/runbooks/database-newer-than-code.md). Records are examined by the newer version alone.',
      },
    ];
  if (pending.length === 0) return [];
  const { summary, remedy } = describeRun(status, now);
  const examples = pending.slice(0, MAX_EXAMPLES).map(({ version: number, name }) => {
    const started = current?.name === name ? ` (${current.converted} converted in ${current.runs} runs)` : '';
    return `${number} ${name}${started}`;
  });
  return [
    {
      area: 'schema',
      summary,
      count: pending.length,
      since: current?.startedAt ?? null,
      examples,
      remedy: `${remedy} Records are examined afterwards.`,
    },
  ];
}
