import {
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { PendingRenderingActivities } from '../../activities/rendering/pending';
import { ACTIVITY_OPTIONS } from '../contracts';
import type { BacklogAdded, WorkflowArguments } from '../contracts';

const backlogAdded = defineSignal<[BacklogAdded]>('backlogAdded');

/**
 * Renders the pending documents of one organisation: one activity renders all that are waiting. Ends when none is
 * pending; the next request starts it again. A document that fails goes on in a workflow of its own.
 */
export async function documentRenditions({ organisationId }: WorkflowArguments['documentRenditions']): Promise<void> {
  // The fairness key prevents one organisation's many documents from delaying those of others.
  const { renderPending } = proxyActivities<PendingRenderingActivities>({
    ...ACTIVITY_OPTIONS.sharedRendering,
    priority: { fairnessKey: organisationId },
  });
  let isWoken: boolean;
  // A repeated signal has no further effect.
  setHandler(backlogAdded, () => {
    isWoken = true;
  });
  let total = 0;
  for (;;) {
    isWoken = false;
    const { stored, separated, isUnfinished } = await renderPending({ organisationId });
    total += stored;
    setCurrentDetails(
      [`**stored**: ${total}`, ...separated.map((id) => `- failed, in a workflow of its own: ${id}`)].join('\n'),
    );
    if (!isUnfinished && !isWoken) return;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof documentRenditions>({ organisationId });
  }
}
