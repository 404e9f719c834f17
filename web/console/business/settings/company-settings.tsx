import { Grid, Skeleton, Stack } from '@mantine/core';
import { useState } from 'react';
import { business } from '../../../shared/api/business';
import { Failure } from '../../components/failure';
import { useEditedRecord } from '../../components/use-edited-record';
import { useSession } from '../../session';
import { CompanyForm } from './company-form';
import { CompanyTaxId } from './company-tax-id';
import { Completeness } from './completeness';
import type { CompanyValues } from './company-values';
import { LogoCard } from './logo-card';
import { SampleDocument } from './sample-document';

/** What documents print about the company, and the defaults of new ones. */
export default function CompanySettings() {
  const { business: permissions } = useSession();
  const [draft, setDraft] = useState<CompanyValues | null>(null);
  const { data, error } = useEditedRecord('getCompany', 'company', (_id, options) => business.getCompany(options));
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <Skeleton h={320} />;
  const isReadOnly = !permissions.has('config:update');
  return (
    <Stack>
      <Completeness />
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, xl: 7 }}>
          <CompanyForm key={data.etag} edited={data} isReadOnly={isReadOnly} onDraftChange={setDraft} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, xl: 5 }}>
          <Stack gap="xl">
            <LogoCard edited={data} isReadOnly={isReadOnly} isDirty={draft !== null} />
            <CompanyTaxId isReadOnly={isReadOnly} />
            <SampleDocument draft={draft} version={data.etag} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}
