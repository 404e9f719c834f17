import { convertRows, getRawCollection } from '../../platform/migrations/batches';
import type { Migration } from '../../platform/migrations/migration';

const pick = (present: unknown, earlier: unknown): unknown => present ?? earlier ?? null;

/** A session stored the id of its template as `workflowId`, and its version as `workflowVersion`. */
export const sessionTemplates: Migration = {
  version: 3,
  name: 'session-templates',
  summary: 'renames the fields of sessions that name their template',
  run: (context) =>
    convertRows(context, {
      collection: 'sessions',
      filter: { $or: [{ workflowId: { $exists: true } }, { workflowVersion: { $exists: true } }] },
      async convert(sessions, session) {
        const updates = sessions.map(({ _id, ...row }) => ({
          updateOne: {
            filter: { _id },
            update: {
              $set: {
                templateId: pick(row['templateId'], row['workflowId']),
                templateVersion: pick(row['templateVersion'], row['workflowVersion']),
              },
              $unset: { workflowId: '', workflowVersion: '' },
            },
          },
        }));
        await getRawCollection('sessions').bulkWrite(updates, { session });
        return updates.length;
      },
    }),
};
