import { Grid, Skeleton, Stack } from '@mantine/core';
import { useState } from 'react';
import { business } from '../../../shared/api/business';
import { Failure } from '../../components/failure';
import { useEditedRecord } from '../../components/use-edited-record';
import { useSession } from '../../session';
import { CompanyForm } from './company-form';
import { Completeness } from './completeness';
import { LatestInvoice } from './latest-invoice';
import { LogoCard } from './logo-card';

/** What documents print about the company, and the defaults of new ones. */
export default function CompanySettings() {
  const { business: permissions } = useSession();
  const [isDirty, setDirty] = useState(false);
  const { data, error } = useEditedRecord('getCompany', 'company', (_id, options) => business.getCompany(options));
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <Skeleton h={320} />;
  const isReadOnly = !permissions.has('config:update');
  return (
    <Stack>
      <Completeness />
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, xl: 7 }}>
          <CompanyForm key={data.etag} edited={data} isReadOnly={isReadOnly} onDirtyChange={setDirty} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, xl: 5 }}>
          <Stack gap="xl">
            <LogoCard company={data.record} isReadOnly={isReadOnly} isDirty={isDirty} />
            {permissions.has('invoices:read') && <LatestInvoice />}
          </Stack>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}
