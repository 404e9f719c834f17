import { Anchor, Button, Group, Select, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconFileExport } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { business } from '../../../shared/api/business';
import { useSession } from '../../session';
import { DialogForm } from '../records/dialog-form';

const FORMATS = ['datev', 'saf-t', 'csv', 'xlsx', 'json'] as const;

interface HandOverValues extends Record<string, unknown> {
  format: (typeof FORMATS)[number];
  filters: { dateFrom: string; dateTo: string };
}

/** Exports the journal of some days for an accountant or an auditor; the list of exports shows the progress. */
export function HandOverButton() {
  const { t } = useTranslation('accounting');
  const { t: exports } = useTranslation('exports');
  const { business: permissions } = useSession();
  const navigate = useNavigate();
  const [opened, { open, close }] = useDisclosure();
  if (!permissions.has('exports:create')) return null;
  const year = new Date().getFullYear();
  return (
    <>
      <Button variant="default" leftSection={<IconFileExport size={16} aria-hidden />} onClick={open}>
        {t('handOver')}
      </Button>
      <DialogForm<HandOverValues, unknown>
        opened={opened}
        close={close}
        title={t('handOverTitle')}
        action={t('handOverAction')}
        initialValues={{
          format: 'datev',
          filters: { dateFrom: `${year}-01-01`, dateTo: `${year}-12-31` },
        }}
        submit={(values) => business.createExport({ resource: 'journal', ...values })}
        describeResult={() => t('handOverStarted')}
        onDone={() => navigate({ to: '/exports' })}
      >
        {(form) => (
          <>
            <Text size="sm">
              {t('handOverText')}{' '}
              <Anchor component={Link} to="/company/accounts" size="sm">
                {t('handOverSettings')}
              </Anchor>
            </Text>
            <Select
              label={exports('format')}
              allowDeselect={false}
              data={FORMATS.map((value) => ({ value, label: exports(`formats.${value}`) }))}
              {...form.getInputProps('format')}
            />
            <Group grow>
              <TextInput type="date" label={t('from')} required {...form.getInputProps('filters.dateFrom')} />
              <TextInput type="date" label={t('to')} required {...form.getInputProps('filters.dateTo')} />
            </Group>
          </>
        )}
      </DialogForm>
    </>
  );
}
