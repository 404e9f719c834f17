import { Button, Fieldset, Group, Stack, TagsInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { business } from '../../../shared/api/business';
import type { Versioned } from '../../../shared/api/versions';
import { DecimalInput } from '../../components/decimal-input';
import { ConflictNotice } from '../../components/conflict-notice';
import { Failure } from '../../components/failure';
import { AddressFields } from '../parties/address-fields';
import { CheckFields, DefaultFields } from './company-defaults';
import { readValues, TEXT_FIELDS, toBody } from './company-values';
import type { Company, CompanyValues } from './company-values';
import { Part } from './part';
import { useSettingsForm } from './use-settings-form';

interface FieldsProps {
  form: UseFormReturnType<CompanyValues>;
}

function Texts({ form, part }: FieldsProps & { part: keyof typeof TEXT_FIELDS }) {
  const { t } = useTranslation('settings');
  return TEXT_FIELDS[part].map((name) => (
    <TextInput key={name} label={t(`fields.${name}`)} {...form.getInputProps(name)} />
  ));
}

function Registration({ form }: FieldsProps) {
  const { t } = useTranslation('settings');
  return (
    <Part legend={t('registration')}>
      <Texts form={form} part="registration" />
      <TagsInput
        label={t('fields.managingDirectors')}
        description={t('managingDirectorsHint')}
        {...form.getInputProps('managingDirectors')}
      />
      <DecimalInput
        label={t('fields.shareCapital')}
        allowNegative={false}
        decimalScale={3}
        {...form.getInputProps('shareCapital.amount')}
      />
      <TextInput
        label={t('fields.shareCapitalCurrency')}
        maxLength={3}
        {...form.getInputProps('shareCapital.currencyCode')}
      />
    </Part>
  );
}

interface CompanyFormProps {
  edited: Versioned<Company>;
  isReadOnly: boolean;
  /** Called with the fields while they differ from what is stored; null when they do not any more. */
  onDraftChange: (draft: CompanyValues | null) => void;
}

/** Everything that documents print about the company, the defaults of new ones, and the checks when they are issued. */
export function CompanyForm({ edited, isReadOnly, onDraftChange }: CompanyFormProps) {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation('business');
  const { form, onSubmit, isPending, failure, conflict } = useSettingsForm<Company, CompanyValues>({
    operation: 'getCompany',
    edited,
    read: (options) => business.getCompany(options),
    toValues: readValues,
    submit: (values, options) => business.updateCompany(toBody(values), options),
  });
  const draft = form.isDirty() ? form.values : null;
  useEffect(() => onDraftChange(draft), [draft, onDraftChange]);
  return (
    <form onSubmit={onSubmit}>
      <Fieldset variant="unstyled" disabled={isReadOnly}>
        <Stack>
          <TextInput label={t('legalName')} required {...form.getInputProps('legalName')} />
          <AddressFields getInputProps={(path) => form.getInputProps(path)} />
          <Registration form={form} />
          <Part legend={t('contact')}>
            <Texts form={form} part="contact" />
          </Part>
          <Part legend={t('bank')}>
            <Texts form={form} part="bank" />
          </Part>
          <DefaultFields form={form} />
          <CheckFields form={form} />
          <ConflictNotice conflict={conflict} />
          <Failure error={failure} />
          {!isReadOnly && (
            <Group>
              <Button type="submit" loading={isPending}>
                {common('save')}
              </Button>
            </Group>
          )}
        </Stack>
      </Fieldset>
    </form>
  );
}
