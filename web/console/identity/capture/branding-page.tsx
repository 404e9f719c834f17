import { Button, FileInput, Group, Loader, Paper, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NotFoundError } from '../../../../clients/typescript/src/errors';
import { identity, identityQuery } from '../../../shared/api/identity';
import { Failure } from '../../components/failure';
import { Page } from '../../components/page';
import { useApiForm } from '../../components/use-api-form';
import { useNotify } from '../../components/use-notify';
import { useSession } from '../../session';
import { Section } from '../sessions/section';
import './texts';

/** The logo; null without one. */
async function readLogo(options: { signal: AbortSignal }): Promise<Blob | null> {
  try {
    return await identity.getBrandLogo(options);
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

/** An address of a file for as long as it is shown. */
function useObjectUrl(file: Blob | null | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (file == null) return setUrl(undefined);
    const created = URL.createObjectURL(file);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [file]);
  return url;
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
      await queries.invalidateQueries({ queryKey: ['identity', 'getBrandLogo'] });
    },
  });
  return (
    <form onSubmit={onSubmit}>
      <Failure error={failure} />
      <Group align="end">
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
      </Group>
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
      await queries.invalidateQueries({ queryKey: ['identity', 'getBrandLogo'] });
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
  const { data, error, isPending } = useQuery(identityQuery('getBrandLogo', [], readLogo));
  const url = useObjectUrl(data);
  const mayWrite = useSession().identity.has('workflows:write');
  return (
    <Page title={t('title')}>
      <Section title={t('logo')}>
        <Stack align="flex-start">
          <Text size="sm">{t('hint')}</Text>
          <Failure error={error} />
          {isPending && <Loader aria-label={t('logo')} />}
          {data === null && <Text>{t('none')}</Text>}
          {url !== undefined && (
            <Paper withBorder p="md" bg="white">
              <img src={url} alt={t('alt')} style={{ display: 'block', maxHeight: 80, maxWidth: 240 }} />
            </Paper>
          )}
          {mayWrite && data != null && <RemoveButton />}
          {mayWrite && <LogoForm />}
        </Stack>
      </Section>
    </Page>
  );
}
