import { HOUR_MS } from '../../../domain/durations';
import { Export } from '../../../models/business/exports/export';
import type { ExportRecord } from '../../../models/business/exports/export';
import { MAX_EXAMPLES, reportIf } from '../../platform/diagnosis/problem';
import type { Problem } from '../../platform/diagnosis/problem';
import type { Platform } from '../../platform/platform';

/** A running export records each finished part, at least every few minutes. */
const MAX_SILENCE_MS = HOUR_MS;

/** Exports without progress. */
export async function diagnoseExports({ clock }: Platform): Promise<Problem[]> {
  const filter = {
    clearedAt: null,
    state: { $in: ['queued', 'running'] as const },
    updatedAt: { $lt: new Date(clock.now().getTime() - MAX_SILENCE_MS) },
  };
  const [count, first] = await Promise.all([
    Export.countDocuments(filter),
    Export.find(filter, { updatedAt: 1 })
      .sort({ updatedAt: 1 })
      .limit(MAX_EXAMPLES)
      .lean<Pick<ExportRecord, '_id' | 'updatedAt'>[]>(),
  ]);
  return reportIf({
    area: 'exports',
    summary: 'Exports have made no progress for an hour',
    count,
    since: first[0]?.updatedAt ?? null,
    examples: first.map(({ _id }) => _id),
    remedy:
      'Is a worker of the pool exports running, for archives also one of the pool rendering? Open one in the Temporal UI (its workflow has the id of the export): the pending activity shows the last failure. It can be cancelled with POST /api/exports/:id/cancel.',
  });
}
