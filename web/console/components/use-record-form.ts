import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallOptions } from '../../../clients/typescript/src/calls';
import { ifMatch, isVersionConflict, readVersion } from '../../shared/api/versions';
import type { Versioned } from '../../shared/api/versions';
import { mergeValues } from './merge-values';
import { useApiForm } from './use-api-form';
import type { ApiForm } from './use-api-form';
import { useLeaveGuard } from './use-leave-guard';

interface RecordFormOptions<T, V extends Record<string, unknown>, R> {
  /** The record as it was read when the editor was opened; null for a new one. */
  edited: Versioned<T> | null;
  /** Reads the record again after a conflict. */
  read: (options: CallOptions) => Promise<{ data: T }>;
  /** The values of a record, or of a new one. */
  toValues: (record: T | null) => V;
  /** Adapts merged values to the current record, such as references to what it does not contain any more. */
  reconcile?: (values: V, current: T) => V;
  /**
   * Sends the values; the options make the API reject them if the record has changed meanwhile.
   *
   * @param record the record whose version is sent; null for a new one
   */
  submit: (values: V, options: CallOptions, record: T | null) => Promise<R>;
  onDone?: (result: R, values: V) => void | Promise<void>;
  /** Search parameters of the page that choose the record. @default none */
  searchKeys?: readonly string[];
}

/** What a form shows when another user has changed the record since it was read. */
export interface Conflict {
  /** Whether the current version has been loaded, so that the form can be sent again. */
  isLoaded: boolean;
  isLoading: boolean;
  /** Loads the current version into the fields that the user has not changed. */
  load: () => void;
  failure: unknown;
}

interface RecordForm<T, V extends Record<string, unknown>> extends ApiForm<V> {
  /** The record whose version is sent: as it was read, or as it was loaded after a conflict; null for a new one. */
  record: T | null;
  /** Null without a conflict. */
  conflict: Conflict | null;
}

/** A value as a message shows it. */
const toText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** A form that changes a record, never overwrites the change of another user, and is not left with unsent values unasked. */
export function useRecordForm<T, V extends Record<string, unknown>, R>(
  options: RecordFormOptions<T, V, R>,
): RecordForm<T, V> {
  const { edited, read, toValues, reconcile, submit, onDone } = options;
  const { t } = useTranslation('common');
  const [version, setVersion] = useState(edited);
  const [isLoaded, setLoaded] = useState(false);
  const [initialValues] = useState(() => toValues(edited?.record ?? null));
  const stored = useRef(JSON.stringify(initialValues));
  const api = useApiForm<V, R>({
    initialValues,
    submit: (values) => submit(values, ifMatch(version?.etag ?? null), version?.record ?? null),
    onDone: (result, values) => {
      stored.current = JSON.stringify(values);
      return onDone?.(result, values);
    },
  });
  useLeaveGuard(() => JSON.stringify(api.form.values) !== stored.current, options.searchKeys);
  const loading = useMutation({
    mutationFn: () => readVersion(read),
    onSuccess: (current) => {
      const before = toValues(version?.record ?? null);
      const merged = mergeValues(before, api.form.values, toValues(current.record));
      const { values } = merged;
      api.form.setValues(reconcile === undefined ? values : reconcile(values, current.record));
      const fields = Object.entries(merged.both).filter(([, value]) => typeof value !== 'object' || value === null);
      api.form.setErrors(
        Object.fromEntries(fields.map(([path, value]) => [path, t('conflict.field', { value: toText(value) || '–' })])),
      );
      setVersion(current);
      setLoaded(true);
      api.forgetFailure();
    },
  });
  const isRejected = isVersionConflict(api.failure);
  const record = version?.record ?? null;
  if (!isRejected && !isLoaded) return { ...api, record, conflict: null };
  const conflict: Conflict = {
    isLoaded: !isRejected,
    isLoading: loading.isPending,
    load: () => loading.mutate(),
    failure: loading.error,
  };
  return { ...api, record, failure: isRejected ? null : api.failure, conflict };
}
