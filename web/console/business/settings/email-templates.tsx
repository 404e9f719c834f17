import { Badge, Button, Code, Grid, Group, Select, Skeleton, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business, businessQuery } from '../../../shared/api/business';
import { describeFailure } from '../../../shared/failures';
import { Failure } from '../../components/failure';
import { useApiForm } from '../../components/use-api-form';
import { usePageSearch } from '../../components/use-page-search';
import { useSession } from '../../session';
import { fillTemplate, SAMPLE_VALUES } from '../messages/fill-template';
import { MessagePreview } from '../messages/message-preview';
import { DOCUMENT_LANGUAGES, useCompany } from '../records/lookups';
import { oneOf } from '../records/record-list';
import { settingsSearch } from './settings-search';

type Template = BusinessResponse<'listEmailTemplates'>['data'][number];

const KINDS = ['invoice', 'credit_note', 'reminder', 'statement'] as const;

function ResetButton({ template }: { template: Template }) {
  const { t } = useTranslation('settings');
  const { t: shared } = useTranslation('shared');
  const queries = useQueryClient();
  const { kind, language } = template;
  const { mutate, isPending } = useMutation({
    mutationFn: () => business.resetEmailTemplate({ kind, language }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['business', 'listEmailTemplates'] }),
    onError: (error) => notifications.show({ color: 'red', message: describeFailure(error, shared) }),
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

function TemplateForm({ template }: { template: Template }) {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation('business');
  const { business: permissions } = useSession();
  const canChange = permissions.has('config:update');
  const values = { ...SAMPLE_VALUES, companyName: useCompany()?.legalName ?? '' };
  const queries = useQueryClient();
  const { kind, language, subject, text } = template;
  const { form, onSubmit, isPending, failure } = useApiForm({
    initialValues: { subject, text },
    submit: (values) => business.setEmailTemplate({ kind, language, ...values }),
    onDone: async () => {
      await queries.invalidateQueries({ queryKey: ['business', 'listEmailTemplates'] });
      notifications.show({ color: 'green', message: common('saved') });
    },
  });
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
            <Failure error={failure} />
            {canChange && (
              <Group>
                <Button type="submit" loading={isPending}>
                  {common('save')}
                </Button>
                {template.changed && <ResetButton template={template} />}
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
  const { data, error } = useQuery(
    businessQuery('listEmailTemplates', [], (options) => business.listEmailTemplates(options)),
  );
  const kind = oneOf(KINDS, search.kind) ?? 'invoice';
  const language = oneOf(DOCUMENT_LANGUAGES, search.language ?? company?.language) ?? 'en';
  const template = data?.data.find((each) => each.kind === kind && each.language === language);
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
        {template?.changed === true && (
          <Badge variant="light" mb={8}>
            {t('templates.changed')}
          </Badge>
        )}
      </Group>
      <Failure error={error} />
      {template === undefined ? (
        error === null && <Skeleton h={320} />
      ) : (
        <TemplateForm key={`${kind} ${language} ${template.subject} ${template.text}`} template={template} />
      )}
    </Stack>
  );
}
