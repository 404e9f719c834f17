import { useQuery } from '@tanstack/react-query';
import { identity, identityQuery } from '../../../shared/api/identity';
import { useSession } from '../../session';

/** The session workflows of the organisation; none are read for a user who may not see them. */
const useWorkflows = () =>
  useQuery({
    ...identityQuery('listSessionWorkflows', [], (options) => identity.listSessionWorkflows({ limit: 100 }, options)),
    enabled: useSession().identity.has('workflows:read'),
  });

/** The session workflows that a field offers; none for a user who may not read them. */
export function useWorkflowChoices(): { value: string; label: string }[] {
  const { data } = useWorkflows();
  return (data?.workflows ?? []).map(({ id, name }) => ({ value: id, label: name }));
}

/** The name of a session workflow, or its id if the name cannot be read; null while it is being read. */
export function useWorkflowName(workflowId: string | null): string | null {
  const { data, isLoading } = useWorkflows();
  if (isLoading) return null;
  return data?.workflows.find(({ id }) => id === workflowId)?.name ?? workflowId;
}
