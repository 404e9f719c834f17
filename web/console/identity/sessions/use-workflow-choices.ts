import { useQuery } from '@tanstack/react-query';
import { identity, identityQuery } from '../../../shared/api/identity';
import { useSession } from '../../session';

/** The session workflows that a field offers; none for a user who may not read them. */
export function useWorkflowChoices(): { value: string; label: string }[] {
  const { data } = useQuery({
    ...identityQuery('listSessionWorkflows', [], (options) => identity.listSessionWorkflows({ limit: 100 }, options)),
    enabled: useSession().identity.has('workflows:read'),
  });
  return (data?.workflows ?? []).map(({ id, name }) => ({ value: id, label: name }));
}

/** The name of a session workflow, also of an archived one, or its id if the name cannot be read; null while it is being read. */
export function useWorkflowName(workflowId: string | null): string | null {
  const id = workflowId ?? '';
  const { data, isLoading } = useQuery({
    ...identityQuery('getSessionWorkflow', [id], (options) => identity.getSessionWorkflow(id, {}, options)),
    enabled: useSession().identity.has('workflows:read') && id !== '',
  });
  return isLoading ? null : (data?.workflow.name ?? workflowId);
}
