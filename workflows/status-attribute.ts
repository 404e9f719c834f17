import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { SEARCH_ATTRIBUTES } from './contracts';

const statusAttribute = defineSearchAttributeKey(SEARCH_ATTRIBUTES.status, SearchAttributeType.KEYWORD);

/**
 * Shows an operator where a workflow stands: the status it is found by and, under its name, a line for each detail.
 * A server that does not know the attribute never gave the workflow one, so none is written there.
 */
export function showStatus(status: string, details: readonly string[] = []): void {
  setCurrentDetails([`**${status}**`, ...details.map((detail) => `- ${detail}`)].join('\n'));
  const current = workflowInfo().typedSearchAttributes.get(statusAttribute);
  if (current !== undefined && current !== status) upsertSearchAttributes([{ key: statusAttribute, value: status }]);
}
