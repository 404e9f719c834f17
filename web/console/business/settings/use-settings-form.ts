import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CallOptions } from '../../../../clients/typescript/src/calls';
import type { Versioned } from '../../../shared/api/versions';
import { EDITED } from '../../components/use-edited-record';
import { useRecordForm } from '../../components/use-record-form';

interface SettingsFormOptions<T, V extends Record<string, unknown>> {
  /** Operation that reads the settings. */
  operation:
    | 'getCompany'
    | 'getEmailSettings'
    | 'getEmailTemplate'
    | 'getReminderSchedule'
    | 'getAccountingSettings'
    | 'getPeriodLock';
  edited: Versioned<T>;
  read: (options: CallOptions) => Promise<{ data: T }>;
  toValues: (settings: T) => V;
  submit: (values: V, options: CallOptions) => Promise<unknown>;
  /** Search parameters of the page that choose the settings. @default none */
  searchKeys?: readonly string[];
}

/** A form of settings that exist once; it never overwrites what another user has changed meanwhile. */
export function useSettingsForm<T, V extends Record<string, unknown>>(options: SettingsFormOptions<T, V>) {
  const { operation, edited, read, toValues, submit, searchKeys = [] } = options;
  const { t } = useTranslation('business');
  const queries = useQueryClient();
  return useRecordForm<T, V, unknown>({
    edited,
    read,
    toValues: (settings) => toValues(settings ?? edited.record),
    submit,
    searchKeys,
    onDone: async () => {
      await queries.invalidateQueries({ queryKey: ['business'] });
      await queries.invalidateQueries({ queryKey: [EDITED, operation] });
      notifications.show({ color: 'green', message: t('saved') });
    },
  });
}
