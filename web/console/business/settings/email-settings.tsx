import { Alert, Button, Fieldset, Group, NumberInput, PasswordInput, Select, Skeleton, Stack } from '@mantine/core';
import { MultiSelect, Text, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import type { BusinessBody, BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business } from '../../../shared/api/business';
import type { Versioned } from '../../../shared/api/versions';
import { ConflictNotice } from '../../components/conflict-notice';
import { Failure } from '../../components/failure';
import { useEditedRecord } from '../../components/use-edited-record';
import { useSession } from '../../session';
import { EmailTest } from './email-test';
import { Part } from './part';
import { RemoveEmailButton } from './remove-email-button';
import { useSettingsForm } from './use-settings-form';

type EmailSettings = BusinessResponse<'getEmailSettings'>['data'];
type EmailBody = BusinessBody<'setEmailSettings'>;

const FORMATS = ['pdf', 'facturx', 'ubl', 'cii'] as const;
const SECURITY = ['starttls', 'tls', 'none'] as const;
const TEXT_FIELDS = ['user', 'fromName', 'replyTo', 'bounceAddress', 'caCertificate'] as const;

interface EmailValues extends Record<string, unknown>, Record<(typeof TEXT_FIELDS)[number], string> {
  host: string;
  port: number | string;
  security: (typeof SECURITY)[number];
  password: string;
  fromAddress: string;
  formats: NonNullable<EmailBody['formats']>;
}

const readValues = (settings: EmailSettings): EmailValues => ({
  host: settings?.host ?? '',
  port: settings?.port ?? 587,
  security: settings?.security ?? 'starttls',
  user: settings?.user ?? '',
  password: '',
  caCertificate: settings?.caCertificate ?? '',
  fromAddress: settings?.fromAddress ?? '',
  fromName: settings?.fromName ?? '',
  replyTo: settings?.replyTo ?? '',
  bounceAddress: settings?.bounceAddress ?? '',
  formats: settings?.formats ?? ['pdf'],
});

/** The settings as the API replaces them: every field, and the password only if a new one was typed. */
function toBody({ password, port, ...values }: EmailValues): EmailBody {
  const texts = Object.fromEntries(TEXT_FIELDS.map((name) => [name, values[name] || null]));
  return {
    ...texts,
    host: values.host,
    port: Number(port),
    security: values.security,
    fromAddress: values.fromAddress,
    formats: values.formats,
    ...(password === '' ? {} : { password }),
  };
}

interface FieldsProps {
  form: UseFormReturnType<EmailValues>;
}

function ServerFields({ form, hasPassword }: FieldsProps & { hasPassword: boolean }) {
  const { t } = useTranslation('settings');
  return (
    <Part legend={t('email.server')}>
      <TextInput label={t('email.host')} required {...form.getInputProps('host')} />
      <NumberInput label={t('email.port')} required hideControls {...form.getInputProps('port')} />
      <Select
        label={t('email.security')}
        allowDeselect={false}
        data={SECURITY.map((value) => ({ value, label: t(`email.securityModes.${value}`) }))}
        {...form.getInputProps('security')}
      />
      <TextInput label={t('email.user')} autoComplete="off" {...form.getInputProps('user')} />
      <PasswordInput
        label={t('email.password')}
        description={hasPassword ? t('email.passwordKept') : undefined}
        autoComplete="new-password"
        {...form.getInputProps('password')}
      />
      <Textarea
        label={t('email.caCertificate')}
        description={t('email.caCertificateHint')}
        autosize
        minRows={1}
        maxRows={6}
        {...form.getInputProps('caCertificate')}
      />
    </Part>
  );
}

function SenderFields({ form }: FieldsProps) {
  const { t } = useTranslation('settings');
  return (
    <Part legend={t('email.sender')}>
      <TextInput type="email" label={t('email.fromAddress')} required {...form.getInputProps('fromAddress')} />
      <TextInput
        label={t('email.fromName')}
        description={t('email.fromNameHint')}
        {...form.getInputProps('fromName')}
      />
      <TextInput type="email" label={t('email.replyTo')} {...form.getInputProps('replyTo')} />
      <TextInput
        type="email"
        label={t('email.bounceAddress')}
        description={t('email.bounceHint')}
        {...form.getInputProps('bounceAddress')}
      />
      <MultiSelect
        label={t('email.formats')}
        data={FORMATS.map((value) => ({ value, label: t(`email.formatNames.${value}`) }))}
        {...form.getInputProps('formats')}
      />
    </Part>
  );
}

function EmailForm({ edited, isReadOnly }: { edited: Versioned<EmailSettings>; isReadOnly: boolean }) {
  const { t: common } = useTranslation('business');
  const { form, onSubmit, isPending, failure, conflict } = useSettingsForm<EmailSettings, EmailValues>({
    operation: 'getEmailSettings',
    edited,
    read: (options) => business.getEmailSettings(options),
    toValues: readValues,
    submit: (values, options) => business.setEmailSettings(toBody(values), options),
  });
  const settings = edited.record;
  return (
    <form onSubmit={onSubmit}>
      <Fieldset variant="unstyled" disabled={isReadOnly}>
        <Stack>
          <ServerFields form={form} hasPassword={settings?.hasPassword === true} />
          <SenderFields form={form} />
          <ConflictNotice conflict={conflict} />
          <Failure error={failure} />
          {!isReadOnly && (
            <Group>
              <Button type="submit" loading={isPending}>
                {common('save')}
              </Button>
              {settings !== null && <RemoveEmailButton />}
            </Group>
          )}
        </Stack>
      </Fieldset>
    </form>
  );
}

/** The mail server of the company, and the sender of messages. */
export default function EmailSettingsSection() {
  const { t } = useTranslation('settings');
  const { business: permissions } = useSession();
  const { data, error } = useEditedRecord('getEmailSettings', 'email', (_id, options) =>
    business.getEmailSettings(options),
  );
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <Skeleton h={320} />;
  const canChange = permissions.has('config:update');
  return (
    <Stack maw={760}>
      {data.record === null ? <Alert color="gray">{t('email.empty')}</Alert> : <Text size="sm">{t('email.text')}</Text>}
      <EmailForm key={data.etag} edited={data} isReadOnly={!canChange} />
      {data.record !== null && canChange && <EmailTest />}
    </Stack>
  );
}
