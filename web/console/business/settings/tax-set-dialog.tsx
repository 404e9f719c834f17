import { Checkbox, List, Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { BusinessBody } from '../../../../clients/typescript/src/calls';
import { business, businessQuery } from '../../../shared/api/business';
import { Failure } from '../../components/failure';
import { companyQuery } from '../records/lookups';
import { DialogForm } from '../records/dialog-form';
import { formatDecimal } from '../records/money';

type Country = NonNullable<BusinessBody<'applyTaxSet'>['country']>;

/** Creates the tax rates of a country that the company does not have yet. */
export function TaxSetDialog({ opened, close }: { opened: boolean; close: () => void }) {
  const { t, i18n } = useTranslation('settings');
  const { data, isLoading, error } = useQuery({
    ...businessQuery('listTaxSets', [], (options) => business.listTaxSets(options)),
    staleTime: Infinity,
    enabled: opened,
  });
  const company = useQuery({ ...companyQuery, enabled: opened });
  const sets = data?.data ?? [];
  const names = new Intl.DisplayNames([i18n.language], { type: 'region' });
  const own = sets.find(({ country }) => country === company.data?.data.address.country)?.country ?? null;
  return (
    <DialogForm
      opened={opened}
      close={close}
      isReady={!isLoading && !company.isLoading}
      title={t('taxSet')}
      action={t('applyTaxSet')}
      initialValues={{ country: own, smallBusiness: false }}
      submit={({ country, smallBusiness }) =>
        // The choices are those of the API.
        business.applyTaxSet({ ...(country === null ? {} : { country: country as Country }), smallBusiness })
      }
      describeResult={({ data: { taxRates } }) => t('taxSetApplied', { count: taxRates.length })}
    >
      {(form) => (
        <>
          <Text size="sm">{t('taxSetText')}</Text>
          <Failure error={error} />
          <Select
            label={t('country')}
            required
            searchable
            allowDeselect={false}
            data={sets.map(({ country }) => ({ value: country, label: names.of(country) ?? country }))}
            {...form.getInputProps('country')}
          />
          <List size="sm">
            {sets
              .find(({ country }) => country === form.values.country)
              ?.taxRates.map(({ name, percent, category }) => (
                <List.Item key={`${name} ${percent} ${category}`}>{`${name}: ${formatDecimal(percent)} %`}</List.Item>
              ))}
          </List>
          <Checkbox
            label={t('smallBusiness')}
            description={t('smallBusinessHint')}
            {...form.getInputProps('smallBusiness', { type: 'checkbox' })}
          />
        </>
      )}
    </DialogForm>
  );
}
