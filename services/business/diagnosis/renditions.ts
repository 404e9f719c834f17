import { MINUTE_MS } from '../../../domain/durations';
import { Rendition } from '../../../models/business/documents/rendition';
import type { RenditionRecord } from '../../../models/business/documents/rendition';
import { MAX_EXAMPLES, reportIf } from '../../platform/diagnosis/problem';
import type { Problem } from '../../platform/diagnosis/problem';
import type { Platform } from '../../platform/platform';

/** A document is rendered within seconds; many that were requested together within minutes. */
const MAX_WAIT_MS = 10 * MINUTE_MS;

/** The index of pending renditions alone. Without its name MongoDB reads every rendition of the installation. */
const PENDING_INDEX = { organisationId: 1, requestedAt: 1 } as const;

/**
 * Documents that wait in the workflow that the documents of their organisation share. That workflow runs as long as
 * documents are requested, so its age says nothing. Documents that failed there have workflows of their own.
 */
export async function diagnoseRenditions({ clock }: Platform): Promise<Problem[]> {
  const filter = {
    status: 'pending' as const,
    hasOwnWorkflow: { $ne: true },
    requestedAt: { $lt: new Date(clock.now().getTime() - MAX_WAIT_MS) },
  };
  const [count, first] = await Promise.all([
    Rendition.countDocuments(filter).hint(PENDING_INDEX),
    Rendition.find(filter, { organisationId: 1, documentKind: 1, documentId: 1, requestedAt: 1 })
      .hint(PENDING_INDEX)
      .sort({ requestedAt: 1 })
      .limit(MAX_EXAMPLES)
      .lean<Pick<RenditionRecord, 'organisationId' | 'documentKind' | 'documentId' | 'requestedAt'>[]>(),
  ]);
  return reportIf({
    area: 'documentRenditions',
    summary: 'Documents have waited for more than ten minutes to be rendered',
    count,
    since: first[0]?.requestedAt ?? null,
    examples: first.map(
      ({ organisationId, documentKind, documentId }) => `${organisationId}: ${documentKind} ${documentId}`,
    ),
    remedy:
      'Is a worker of the pool rendering running, and is its Chromium healthy? Open the workflow <organisation>.renditions in the Temporal UI: its pending activity shows the attempts and the last failure. Requesting a document again starts the workflow if there is none.',
  });
}
