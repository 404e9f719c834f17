import { Alert, Checkbox, MultiSelect, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { BusinessBody } from '../../../../clients/typescript/src/calls';
import { business, businessQuery } from '../../../shared/api/business';
import { useSession } from '../../session';
import type { Invoice } from '../invoices/invoice-values';
import { DialogForm } from '../records/dialog-form';
import { CopyFields } from './copy-fields';
import { fillTemplate } from './fill-template';
import { readInvoiceValues } from './invoice-placeholders';
import { MessagePreview } from './message-preview';

const FORMATS = ['pdf', 'facturx', 'ubl', 'cii'] as const;

interface SendValues extends Record<string, unknown> {
  to: string;
  cc: string[];
  bcc: string[];
  formats: (typeof FORMATS)[number][];
  isOwnText: boolean;
  subject: string;
  text: string;
}

/** What the dialog begins with: address of the customer, attachments and text of the settings. */
function useDefaults(invoice: Invoice, isNeeded: boolean) {
  const { business: permissions } = useSession();
  const id = String(invoice.customerId);
  const customer = useQuery({
    ...businessQuery('getCustomer', [id], (options) => business.getCustomer(id, options)),
    enabled: isNeeded && permissions.has('customers:read'),
  });
  const canReadSettings = isNeeded && permissions.has('config:read');
  const settings = useQuery({
    ...businessQuery('getEmailSettings', [], (options) => business.getEmailSettings(options)),
    enabled: canReadSettings,
  });
  const templates = useQuery({
    ...businessQuery('listEmailTemplates', [], (options) => business.listEmailTemplates(options)),
    enabled: canReadSettings,
  });
  const company = useQuery({
    ...businessQuery('getCompany', [], (options) => business.getCompany(options)),
    enabled: canReadSettings,
  });
  const isReady = [customer, settings, templates, company].every(({ isLoading }) => !isLoading);
  return {
    isReady,
    email: customer.data?.data.email ?? '',
    hasServer: settings.data === undefined || settings.data.data !== null,
    formats: settings.data?.data?.formats ?? ['pdf' as const],
    template: templates.data?.data.find(({ kind, language }) => kind === 'invoice' && language === invoice.language),
    companyName: company.data?.data.legalName ?? '',
  };
}

/** Only what differs from the settings is sent, so that the API uses its own text otherwise. */
const toBody = ({ to, cc, bcc, formats, isOwnText, subject, text }: SendValues): BusinessBody<'sendInvoice'> => ({
  ...(to === '' ? {} : { to }),
  ...(cc.length === 0 ? {} : { cc }),
  ...(bcc.length === 0 ? {} : { bcc }),
  formats,
  ...(isOwnText ? { subject, text } : {}),
});

interface SendDialogProps {
  invoice: Invoice;
  opened: boolean;
  close: () => void;
}

/** Sends an issued invoice by e-mail; shows the message before. */
export function SendDialog({ invoice, opened, close }: SendDialogProps) {
  const { t } = useTranslation('messages');
  const { t: settings } = useTranslation('settings');
  const { isReady, email, hasServer, formats, template, companyName } = useDefaults(invoice, opened);
  const values = readInvoiceValues(invoice, companyName, t('linkIsMade'));
  return (
    <DialogForm<SendValues, Awaited<ReturnType<typeof business.sendInvoice>>>
      opened={opened}
      isReady={isReady}
      close={close}
      size="lg"
      title={t('sendTitle')}
      action={t('send')}
      initialValues={{
        to: email,
        cc: [],
        bcc: [],
        formats,
        isOwnText: false,
        subject: template?.subject ?? '',
        text: template?.text ?? '',
      }}
      submit={(input) => business.sendInvoice(String(invoice.id), toBody(input))}
      describeResult={({ data }) => t('sending', { to: data.to })}
    >
      {(form) => (
        <>
          {!hasServer && (
            <Alert color="yellow">
              {t('noServer')} <Link to="/company/email">{settings('tabs.email')}</Link>
            </Alert>
          )}
          <TextInput type="email" label={t('to')} required {...form.getInputProps('to')} />
          <CopyFields getInputProps={(field) => form.getInputProps(field)} />
          <MultiSelect
            label={t('formats')}
            data={FORMATS.map((value) => ({ value, label: settings(`email.formatNames.${value}`) }))}
            {...form.getInputProps('formats')}
          />
          {template !== undefined && (
            <>
              <Checkbox label={t('ownText')} {...form.getInputProps('isOwnText', { type: 'checkbox' })} />
              {form.values.isOwnText && (
                <>
                  <TextInput label={t('subject')} required {...form.getInputProps('subject')} />
                  <Textarea label={t('text')} required autosize minRows={4} {...form.getInputProps('text')} />
                </>
              )}
              <MessagePreview
                label={t('preview')}
                subject={fillTemplate(form.values.isOwnText ? form.values.subject : template.subject, values)}
                text={fillTemplate(form.values.isOwnText ? form.values.text : template.text, values)}
              />
            </>
          )}
        </>
      )}
    </DialogForm>
  );
}
