import { Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { business, businessQuery } from '../../../shared/api/business';
import { TaxId, usePollInterval } from '../parties/tax-id';

/** Whether VIES knows the VAT id of the company, without which it confirms no query of the company. */
export function CompanyTaxId({ isReadOnly }: { isReadOnly: boolean }) {
  const { t } = useTranslation('settings');
  const getPollInterval = usePollInterval();
  const { data } = useQuery({
    ...businessQuery('getCompany', [], (options) => business.getCompany(options)),
    refetchInterval: ({ state }) => getPollInterval(state.data?.data),
  });
  const company = data?.data;
  if (company === undefined || company.taxId === null) return null;
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {t('fields.taxId')}
      </Title>
      <TaxId holder={company} verify={isReadOnly ? null : () => business.verifyCompanyTaxId()} />
    </Stack>
  );
}
