import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { SEARCH_ATTRIBUTES } from './contracts';

const statusAttribute = defineSearchAttributeKey(SEARCH_ATTRIBUTES.status, SearchAttributeType.KEYWORD);

/**
 * Shows the state of a workflow in the Temporal UI: sets the status search attribute and the current details. The search
 * attribute is set only if the server has registered it, that is, if the workflow was started with one.
 */
export function showStatus(status: string, details: readonly string[] = []): void {
  showDetails(status, [`**${status}**`, ...details.map((detail) => `- ${detail}`)].join('\n'));
}

/** Like {@link showStatus}, with details in Markdown. */
export function showDetails(status: string, markdown: string): void {
  setCurrentDetails(markdown);
  const current = workflowInfo().typedSearchAttributes.get(statusAttribute);
  if (current !== undefined && current !== status) upsertSearchAttributes([{ key: statusAttribute, value: status }]);
}
