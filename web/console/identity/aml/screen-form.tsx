import { Alert, Button, Checkbox, Select, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Body, OperationResponse } from '../../../../clients/typescript/src/calls';
import { identity } from '../../../shared/api/identity';
import { CountrySelect } from '../../components/country-select';
import { Failure } from '../../components/failure';
import { FormRow } from '../../components/form-row';
import { useApiForm } from '../../components/use-api-form';
import { Section } from '../sessions/section';
import { HitList } from './hit-list';
import './texts';

type EntityType = NonNullable<Body<'screenAml'>['entityType']>;
type Result = OperationResponse<'screenAml'>;

const ENTITY_TYPES: readonly EntityType[] = ['any', 'person', 'company', 'vessel', 'aircraft'];

interface ScreenValues extends Record<string, unknown> {
  fullName: string;
  entityType: EntityType;
  dateOfBirth: string;
  nationality: string;
  monitoring: boolean;
}

const initialValues: ScreenValues = {
  fullName: '',
  entityType: 'any',
  dateOfBirth: '',
  nationality: '',
  monitoring: false,
};

function ScreeningResult({ result }: { result: Result }) {
  const { t } = useTranslation('aml');
  if (!('hits' in result)) return <Alert role="status">{t('statuses.processing')}</Alert>;
  return (
    <div role="status">
      <HitList hits={result.hits} />
    </div>
  );
}

interface ScreenFormProps {
  /** What the form is for. */
  title: string;
  /** Whether the screening is repeated when lists change, unless the user decides otherwise. @default false */
  monitoring?: boolean;
}

/** Screens a name now, and on request whenever lists change. */
export function ScreenForm({ title, monitoring = false }: ScreenFormProps) {
  const { t } = useTranslation('aml');
  const queries = useQueryClient();
  const [result, setResult] = useState<Result | null>(null);
  const { form, onSubmit, isPending, failure } = useApiForm({
    initialValues: { ...initialValues, monitoring },
    submit: ({ dateOfBirth, nationality, ...values }) =>
      identity.screenAml({
        ...values,
        ...(dateOfBirth === '' ? {} : { dateOfBirth }),
        ...(nationality === '' ? {} : { nationality }),
      }),
    onDone: async (screened) => {
      setResult(screened);
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['identity', 'listAmlScreenings'] }),
        queries.invalidateQueries({ queryKey: ['identity', 'listAmlMonitors'] }),
      ]);
    },
  });
  return (
    <Section title={title}>
      <form onSubmit={onSubmit}>
        <Stack>
          <Failure error={failure} />
          <FormRow>
            <TextInput label={t('fullName')} required {...form.getInputProps('fullName')} />
            <Select
              label={t('entityType')}
              data={ENTITY_TYPES.map((value) => ({ value, label: t(`entityTypes.${value}`) }))}
              allowDeselect={false}
              {...form.getInputProps('entityType')}
            />
            <TextInput label={t('dateOfBirth')} placeholder={t('dateFormat')} {...form.getInputProps('dateOfBirth')} />
            <CountrySelect label={t('nationality')} {...form.getInputProps('nationality')} />
            <Button type="submit" loading={isPending}>
              {t('run')}
            </Button>
          </FormRow>
          <Checkbox label={t('monitor')} {...form.getInputProps('monitoring', { type: 'checkbox' })} />
          {result !== null && <ScreeningResult result={result} />}
        </Stack>
      </form>
    </Section>
  );
}
