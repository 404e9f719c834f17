import { Button, Group, Loader, NumberInput, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CallOptions } from '../../../../clients/typescript/src/calls';
import { identity } from '../../../shared/api/identity';
import type { Versioned } from '../../../shared/api/versions';
import { ConflictNotice } from '../../components/conflict-notice';
import { FieldGrid } from '../../components/field-grid';
import { Failure } from '../../components/failure';
import { Page } from '../../components/page';
import { useEditedRecord } from '../../components/use-edited-record';
import { useNotify } from '../../components/use-notify';
import { usePageParam } from '../../components/use-page-search';
import { useRecordForm } from '../../components/use-record-form';
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
        <FieldGrid cols={{ base: 1, sm: 2 }} maw={720}>
          {LIMITS.flatMap((name) =>
            (['review', 'decline'] as const).map((limit) => (
              <NumberInput
                key={`${name}.${limit}`}
                label={t(`thresholds.${name}.${limit}`)}
                min={0}
                max={100}
                {...form.getInputProps(`thresholds.${name}.${limit}`)}
              />
            )),
          )}
          <NumberInput label={t('thresholds.minimumAge')} min={1} max={120} {...form.getInputProps('minimumAge')} />
        </FieldGrid>
      </Stack>
    </Section>
  );
}

async function readWorkflow(id: string, options: CallOptions): Promise<{ data: Workflow }> {
  return { data: (await identity.getSessionWorkflow(id, {}, options)).workflow };
}

function WorkflowForm({ edited, reload }: { edited: Versioned<Workflow>; reload: () => void }) {
  const { t } = useTranslation('session-workflows');
  const queries = useQueryClient();
  const notify = useNotify();
  const { identity: permissions } = useSession();
  const { id } = edited.record;
  const { form, onSubmit, isPending, failure, conflict } = useRecordForm({
    edited,
    read: (options) => readWorkflow(id, options),
    toValues: (workflow: Workflow | null) => toDraft(workflow ?? edited.record),
    submit: (draft, options) => identity.updateSessionWorkflow(id, toChange(draft), options),
    onDone: async (saved) => {
      notify(t('saved', { version: saved.workflow.version }));
      reload();
      await queries.invalidateQueries({ queryKey: ['identity', 'listSessionWorkflows'] });
    },
  });
  const simulate = useMutation({
    mutationFn: () => identity.simulateSessionWorkflow(id, { draft: toChange(form.values) }),
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <ConflictNotice conflict={conflict} />
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
  const { data, error, refetch } = useEditedRecord('getSessionWorkflow', id, readWorkflow);
  return (
    <Page title={data?.record.name ?? t('title')}>
      <Failure error={error} />
      {data === undefined && error === null && <Loader aria-label={t('title')} />}
      {data !== undefined && <WorkflowForm key={data.etag} edited={data} reload={() => void refetch()} />}
    </Page>
  );
}
