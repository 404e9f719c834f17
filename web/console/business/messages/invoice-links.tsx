import { Anchor, Button, CopyButton, Group, NumberInput, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business, businessQuery } from '../../../shared/api/business';
import { formatDate, formatDateTime } from '../../../shared/format';
import { Failure } from '../../components/failure';
import { SimpleTable } from '../../components/simple-table';
import { DialogForm } from '../records/dialog-form';
import { notifyFailure } from '../../components/notify-failure';

type InvoiceLink = BusinessResponse<'listInvoiceLinks'>['data'][number];

/** Days after which a new link expires, unless others are typed. */
const DEFAULT_DAYS = 30;

function NewLink({ invoiceId }: { invoiceId: string }) {
  const { t } = useTranslation('messages');
  const [opened, { open, close }] = useDisclosure();
  return (
    <Group>
      <Button size="xs" variant="default" onClick={open}>
        {t('newLink')}
      </Button>
      <DialogForm<{ expiresInDays: number | string }, unknown>
        opened={opened}
        close={close}
        title={t('newLink')}
        initialValues={{ expiresInDays: DEFAULT_DAYS }}
        submit={({ expiresInDays }) => business.createInvoiceLink(invoiceId, { expiresInDays: Number(expiresInDays) })}
      >
        {(form) => (
          <>
            <Text size="sm">{t('linkText')}</Text>
            <NumberInput
              label={t('expiresInDays')}
              required
              min={1}
              allowDecimal={false}
              {...form.getInputProps('expiresInDays')}
            />
          </>
        )}
      </DialogForm>
    </Group>
  );
}

function LinkActions({ invoiceId, link }: { invoiceId: string; link: InvoiceLink }) {
  const { t } = useTranslation('messages');
  const { t: common } = useTranslation('common');
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => business.revokeInvoiceLink(invoiceId, link.id),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['business', 'listInvoiceLinks'] }),
    onError: notifyFailure,
  });
  if (link.revokedAt !== null) return t('revoked');
  return (
    <Group gap="xs" wrap="nowrap">
      <CopyButton value={link.url}>
        {({ copied, copy }) => (
          <Button size="xs" variant="default" onClick={copy}>
            {common(copied ? 'copied' : 'copy')}
          </Button>
        )}
      </CopyButton>
      <Button size="xs" variant="default" loading={revoke.isPending} onClick={() => revoke.mutate()}>
        {t('revoke')}
      </Button>
    </Group>
  );
}

/** Links to the page of the invoice that its customer can open, and whether they were. */
export function InvoiceLinks({ invoiceId }: { invoiceId: string }) {
  const { t } = useTranslation('messages');
  const { data, error } = useQuery(
    businessQuery('listInvoiceLinks', [invoiceId], (options) => business.listInvoiceLinks(invoiceId, options)),
  );
  return (
    <>
      <Failure error={error} />
      {data !== undefined && data.data.length > 0 && (
        <SimpleTable
          label={t('links')}
          head={[t('link'), t('expiresAt'), t('openedAt'), t('actions')]}
          rows={data.data.map((link) => ({
            key: link.id,
            cells: [
              link.revokedAt === null ? (
                <Anchor key="link" href={link.url} target="_blank" rel="noopener" size="sm">
                  {t('openLink', { date: formatDate(link.createdAt) })}
                </Anchor>
              ) : (
                t('openLink', { date: formatDate(link.createdAt) })
              ),
              formatDate(link.expiresAt),
              link.lastOpenedAt === null ? t('notOpened') : formatDateTime(link.lastOpenedAt),
              <LinkActions key="actions" invoiceId={invoiceId} link={link} />,
            ],
          }))}
        />
      )}
      <NewLink invoiceId={invoiceId} />
    </>
  );
}
