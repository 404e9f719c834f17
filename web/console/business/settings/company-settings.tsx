import { Grid, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { business, businessQuery } from '../../../shared/api/business';
import { Failure } from '../../components/failure';
import { useSession } from '../../session';
import { CompanyForm } from './company-form';
import { Completeness } from './completeness';
import { LatestInvoice } from './latest-invoice';
import { LogoCard } from './logo-card';

/** What documents print about the company, and the defaults of new ones. */
export default function CompanySettings() {
  const { business: permissions } = useSession();
  const { data, error } = useQuery(businessQuery('getCompany', [], (options) => business.getCompany(options)));
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <Skeleton h={320} />;
  const isReadOnly = !permissions.has('config:update');
  return (
    <Stack>
      <Completeness />
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, xl: 7 }}>
          <CompanyForm company={data.data} isReadOnly={isReadOnly} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, xl: 5 }}>
          <Stack gap="xl">
            <LogoCard company={data.data} isReadOnly={isReadOnly} />
            {permissions.has('invoices:read') && <LatestInvoice />}
          </Stack>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}
