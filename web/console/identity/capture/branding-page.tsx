import { Button, FileInput, Loader, Paper, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OperationResponse } from '../../../../clients/typescript/src/calls';
import { identity, identityQuery } from '../../../shared/api/identity';
import { Failure } from '../../components/failure';
import { FormRow } from '../../components/form-row';
import { Page } from '../../components/page';
import { useApiForm } from '../../components/use-api-form';
import { useNotify } from '../../components/use-notify';
import { useSession } from '../../session';
import { Section } from '../sessions/section';
import './texts';

type Logo = NonNullable<OperationResponse<'getBranding'>['logo']>;

/** An address of a file for as long as it is shown. */
function useObjectUrl(file: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (file === undefined) return setUrl(undefined);
    const created = URL.createObjectURL(file);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [file]);
  return url;
}

/** The present logo, read again when it has changed. */
function PresentLogo({ logo }: { logo: Logo }) {
  const { t } = useTranslation('branding');
  const { data, error, isPending } = useQuery(
    identityQuery('getBrandLogo', [logo.sha256], (options) => identity.getBrandLogo(options)),
  );
  const url = useObjectUrl(data);
  return (
    <>
      <Failure error={error} />
      {isPending && <Loader aria-label={t('logo')} />}
      {url !== undefined && (
        <Paper withBorder p="md" bg="white">
          <img src={url} alt={t('alt')} style={{ display: 'block', maxHeight: 80, maxWidth: 240 }} />
        </Paper>
      )}
    </>
  );
}

interface LogoValues extends Record<string, unknown> {
  logo: File | null;
}

const initialValues: LogoValues = { logo: null };

function LogoForm() {
  const { t } = useTranslation('branding');
  const queries = useQueryClient();
  const notify = useNotify();
  const { form, onSubmit, isPending, failure } = useApiForm({
    initialValues,
    submit: ({ logo }) => identity.setBrandLogo({ logo: logo ?? new Blob() }),
    onDone: async () => {
      notify(t('saved'));
      form.reset();
      await queries.invalidateQueries({ queryKey: ['identity', 'getBranding'] });
    },
  });
  return (
    <form onSubmit={onSubmit}>
      <Failure error={failure} />
      <FormRow>
        <FileInput
          label={t('file')}
          description={t('fileHint')}
          accept="image/png,image/jpeg"
          required
          clearable
          miw={280}
          {...form.getInputProps('logo')}
        />
        <Button type="submit" loading={isPending}>
          {t('save')}
        </Button>
      </FormRow>
    </form>
  );
}

function RemoveButton() {
  const { t } = useTranslation('branding');
  const queries = useQueryClient();
  const notify = useNotify();
  const remove = useMutation({
    mutationFn: () => identity.removeBrandLogo(),
    onSuccess: async () => {
      notify(t('removed'));
      await queries.invalidateQueries({ queryKey: ['identity', 'getBranding'] });
    },
  });
  return (
    <>
      <Failure error={remove.error} />
      <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate()}>
        {t('remove')}
      </Button>
    </>
  );
}

/** What people see of the organisation on the capture page. */
export default function BrandingPage() {
  const { t } = useTranslation('branding');
  const { data, error, isPending } = useQuery(
    identityQuery('getBranding', [], (options) => identity.getBranding(options)),
  );
  const logo = data?.logo;
  const mayWrite = useSession().identity.has('workflows:write');
  return (
    <Page title={t('title')}>
      <Section title={t('logo')}>
        <Stack align="flex-start">
          <Text size="sm">{t('hint')}</Text>
          <Failure error={error} />
          {isPending && <Loader aria-label={t('logo')} />}
          {logo === null && <Text>{t('none')}</Text>}
          {logo != null && <PresentLogo logo={logo} />}
          {mayWrite && logo != null && <RemoveButton />}
          {mayWrite && <LogoForm />}
        </Stack>
      </Section>
    </Page>
  );
}
