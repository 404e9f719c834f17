import { Button, Fieldset, Group, NumberInput, Stack, TagsInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { business } from '../../../shared/api/business';
import { Failure } from '../../components/failure';
import { useApiForm } from '../../components/use-api-form';
import { AddressFields } from '../parties/address-fields';
import { CheckFields, DefaultFields } from './company-defaults';
import { readValues, TEXT_FIELDS, toBody } from './company-values';
import type { Company, CompanyValues } from './company-values';
import { Part } from './part';

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
      <NumberInput
        label={t('fields.shareCapital')}
        hideControls
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

/** Everything that documents print about the company, the defaults of new ones, and the checks when they are issued. */
export function CompanyForm({ company, isReadOnly }: { company: Company; isReadOnly: boolean }) {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation('business');
  const queries = useQueryClient();
  const { form, onSubmit, isPending, failure } = useApiForm<CompanyValues, unknown>({
    initialValues: readValues(company),
    submit: (values) => business.updateCompany(toBody(values)),
    onDone: async () => {
      await queries.invalidateQueries({ queryKey: ['business'] });
      notifications.show({ color: 'green', message: common('saved') });
    },
  });
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
