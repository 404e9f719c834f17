import { Button, Group, Loader, NumberInput, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { identity, identityQuery } from '../../../shared/api/identity';
import { Failure } from '../../components/failure';
import { Page } from '../../components/page';
import { useApiForm } from '../../components/use-api-form';
import { useNotify } from '../../components/use-notify';
import { usePageParam } from '../../components/use-page-search';
import { useSession } from '../../session';
import { Section } from '../sessions/section';
import { LIMITS, toChange, toDraft } from './draft';
import type { Draft, Workflow } from './draft';
import { RuleEditor } from './rule-editor';
import { Simulation } from './simulation';
import './texts';

function ThresholdsSection({ form }: { form: UseFormReturnType<Draft> }) {
  const { t } = useTranslation('session-workflows');
  return (
    <Section title={t('thresholds.title')}>
      <Stack>
        <Text size="sm">{t('thresholds.hint')}</Text>
        {LIMITS.map((name) => (
          <Group key={name} align="end">
            {(['review', 'decline'] as const).map((limit) => (
              <NumberInput
                key={limit}
                label={t(`thresholds.${name}.${limit}`)}
                min={0}
                max={100}
                {...form.getInputProps(`thresholds.${name}.${limit}`)}
              />
            ))}
          </Group>
        ))}
        <Group align="end">
          <NumberInput label={t('thresholds.minimumAge')} min={1} max={120} {...form.getInputProps('minimumAge')} />
        </Group>
      </Stack>
    </Section>
  );
}

function WorkflowForm({ workflow }: { workflow: Workflow }) {
  const { t } = useTranslation('session-workflows');
  const queries = useQueryClient();
  const notify = useNotify();
  const { identity: permissions } = useSession();
  const { form, onSubmit, isPending, failure } = useApiForm({
    initialValues: toDraft(workflow),
    submit: (draft) => identity.updateSessionWorkflow(workflow.id, toChange(draft)),
    onDone: async (saved) => {
      notify(t('saved', { version: saved.workflow.version }));
      await queries.invalidateQueries({ queryKey: ['identity', 'listSessionWorkflows'] });
    },
  });
  const simulate = useMutation({
    mutationFn: () => identity.simulateSessionWorkflow(workflow.id, { draft: toChange(form.values) }),
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <Failure error={failure} />
        <ThresholdsSection form={form} />
        <Section title={t('rules')}>
          <Text size="sm" mb="sm">
            {t('rulesHint')}
          </Text>
          <RuleEditor form={form} />
        </Section>
        <Section title={t('simulation.title')}>
          <Stack>
            <Text size="sm">{t('simulation.hint')}</Text>
            <Failure error={simulate.error} />
            <Group>
              <Button variant="default" loading={simulate.isPending} onClick={() => simulate.mutate()}>
                {t('simulation.action')}
              </Button>
            </Group>
            {simulate.data !== undefined && <Simulation simulation={simulate.data.simulation} />}
          </Stack>
        </Section>
        {permissions.has('workflows:write') && (
          <Group>
            <Button type="submit" loading={isPending}>
              {t('save')}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

/** Thresholds and rules of one session workflow, with a simulation on past sessions before they are saved. */
export default function WorkflowPage() {
  const { t } = useTranslation('session-workflows');
  const id = usePageParam('workflowId');
  const { data, error } = useQuery({
    ...identityQuery('getSessionWorkflow', [id], (options) => identity.getSessionWorkflow(id, {}, options)),
    // The form keeps what is being edited.
    refetchOnWindowFocus: false,
  });
  return (
    <Page title={data?.workflow.name ?? t('title')}>
      <Failure error={error} />
      {data === undefined && error === null && <Loader aria-label={t('title')} />}
      {data !== undefined && <WorkflowForm key={data.workflow.id} workflow={data.workflow} />}
    </Page>
  );
}
