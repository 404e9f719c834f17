import { Badge, Button, Code, Grid, Group, Select, Skeleton, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business } from '../../../shared/api/business';
import { ifMatch } from '../../../shared/api/versions';
import type { Versioned } from '../../../shared/api/versions';
import { ConflictNotice } from '../../components/conflict-notice';
import { Failure } from '../../components/failure';
import { EDITED, useEditedRecord } from '../../components/use-edited-record';
import { usePageSearch } from '../../components/use-page-search';
import { useSession } from '../../session';
import { fillTemplate, SAMPLE_VALUES } from '../messages/fill-template';
import { MessagePreview } from '../messages/message-preview';
import { DOCUMENT_LANGUAGES, useCompany } from '../records/lookups';
import { oneOf } from '../records/record-list';
import { settingsSearch } from './settings-search';
import { useSettingsForm } from './use-settings-form';
import { notifyFailure } from '../../components/notify-failure';

type Template = BusinessResponse<'getEmailTemplate'>['data'];

const KINDS = ['invoice', 'credit_note', 'reminder', 'statement'] as const;

const OPERATION = 'getEmailTemplate';

function ResetButton({ edited }: { edited: Versioned<Template> }) {
  const { t } = useTranslation('settings');
  const queries = useQueryClient();
  const { kind, language } = edited.record;
  const { mutate, isPending } = useMutation({
    mutationFn: () => business.resetEmailTemplate({ kind, language }, ifMatch(edited.etag)),
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: ['business', 'listEmailTemplates'] });
      await queries.invalidateQueries({ queryKey: [EDITED, OPERATION] });
    },
    onError: notifyFailure,
  });
  return (
    <Button variant="default" loading={isPending} onClick={() => mutate()}>
      {t('templates.reset')}
    </Button>
  );
}

function Placeholders() {
  const { t } = useTranslation('settings');
  return (
    <Group gap={4}>
      <Text size="xs" c="dimmed">
        {t('templates.placeholders')}
      </Text>
      {Object.keys(SAMPLE_VALUES).map((name) => (
        <Code key={name}>{`{{${name}}}`}</Code>
      ))}
    </Group>
  );
}

function TemplateForm({ edited }: { edited: Versioned<Template> }) {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation('business');
  const { business: permissions } = useSession();
  const canChange = permissions.has('config:update');
  const values = { ...SAMPLE_VALUES, companyName: useCompany()?.legalName ?? '' };
  const { kind, language, changed } = edited.record;
  const { form, onSubmit, isPending, failure, conflict } = useSettingsForm<Template, { subject: string; text: string }>(
    {
      operation: OPERATION,
      edited,
      read: (options) => business.getEmailTemplate(kind, language, options),
      toValues: ({ subject, text }) => ({ subject, text }),
      submit: (values, options) => business.setEmailTemplate({ kind, language, ...values }, options),
      searchKeys: ['kind', 'language'],
    },
  );
  return (
    <Grid gap="xl">
      <Grid.Col span={{ base: 12, xl: 6 }}>
        <form onSubmit={onSubmit}>
          <Stack>
            <TextInput
              label={t('templates.subject')}
              required
              readOnly={!canChange}
              {...form.getInputProps('subject')}
            />
            <Textarea
              label={t('templates.text')}
              required
              autosize
              minRows={8}
              readOnly={!canChange}
              {...form.getInputProps('text')}
            />
            <Placeholders />
            <ConflictNotice conflict={conflict} />
            <Failure error={failure} />
            {canChange && (
              <Group>
                <Button type="submit" loading={isPending}>
                  {common('save')}
                </Button>
                {changed && <ResetButton edited={edited} />}
              </Group>
            )}
          </Stack>
        </form>
      </Grid.Col>
      <Grid.Col span={{ base: 12, xl: 6 }}>
        <MessagePreview
          label={t('templates.preview')}
          subject={fillTemplate(form.values.subject, values)}
          text={fillTemplate(form.values.text, values)}
        />
      </Grid.Col>
    </Grid>
  );
}

/** The texts of messages by kind and language. */
export default function EmailTemplates() {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation('business');
  const [search, change] = usePageSearch(settingsSearch);
  const company = useCompany();
  const kind = oneOf(KINDS, search.kind) ?? 'invoice';
  const language = oneOf(DOCUMENT_LANGUAGES, search.language ?? company?.language) ?? 'en';
  const { data, error } = useEditedRecord(OPERATION, `${kind}.${language}`, (_id, options) =>
    business.getEmailTemplate(kind, language, options),
  );
  return (
    <Stack>
      <Group align="end">
        <Select
          label={t('templates.kind')}
          allowDeselect={false}
          data={KINDS.map((value) => ({ value, label: t(`templates.kinds.${value}`) }))}
          value={kind}
          onChange={(value) => change({ kind: value ?? undefined })}
        />
        <Select
          label={t('fields.language')}
          allowDeselect={false}
          data={DOCUMENT_LANGUAGES.map((value) => ({ value, label: common(`languages.${value}`) }))}
          value={language}
          onChange={(value) => change({ language: value ?? undefined })}
        />
        {data?.record.changed === true && (
          <Badge variant="light" mb={8}>
            {t('templates.changed')}
          </Badge>
        )}
      </Group>
      <Failure error={error} />
      {data === undefined ? (
        error === null && <Skeleton h={320} />
      ) : (
        <TemplateForm key={`${kind} ${language} ${data.etag}`} edited={data} />
      )}
    </Stack>
  );
}
