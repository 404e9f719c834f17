import {
  Alert,
  Button,
  Center,
  NativeSelect,
  Paper,
  PasswordInput,
  SegmentedControl,
  Stack,
  TextInput,
  Title,
} from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Body } from '../../../../clients/typescript/src/calls';
import { VouchError } from '../../../../clients/typescript/src/errors';
import { identity } from '../../../shared/api/identity';
import { setCsrfToken } from '../../../shared/api/transport';
import { Failure } from '../../components/failure';
import { useApiForm } from '../../components/use-api-form';
import type en from '../../locales/en/access.json';
import { announceSessionChange, getLastMode, useAdoptSession } from '../../session';

declare module '../../../shared/i18n' {
  interface Texts {
    access: typeof en;
  }
}

interface Organisation {
  slug: string;
  name: string;
}

const isOrganisation = (value: unknown): value is Organisation =>
  typeof value === 'object' &&
  value !== null &&
  'slug' in value &&
  typeof value.slug === 'string' &&
  'name' in value &&
  typeof value.name === 'string';

/** What the service asks for in addition to email address and password. */
interface Demand {
  code: boolean;
  organisations: Organisation[];
}

function readDemand(error: unknown, current: Demand): Demand {
  if (!(error instanceof VouchError)) return current;
  const { organisations } = error.details;
  return {
    code: current.code || error.code.startsWith('second_factor'),
    organisations:
      error.code === 'organisation_required' && Array.isArray(organisations)
        ? organisations.filter(isOrganisation)
        : current.organisations,
  };
}

/** Whether the failure only asks for one more field, which is then shown. */
const isDemand = (error: unknown): boolean =>
  error instanceof VouchError && ['second_factor_required', 'organisation_required'].includes(error.code);

const createValues = (): Required<Body<'loginToConsole'>> => ({
  email: '',
  password: '',
  code: '',
  organisation: '',
  mode: getLastMode(),
});

function useSignIn() {
  const adopt = useAdoptSession();
  const [demand, setDemand] = useState<Demand>({ code: false, organisations: [] });
  const api = useApiForm({
    initialValues: createValues(),
    submit: async ({ code, organisation, ...values }) => {
      try {
        return await identity.loginToConsole({
          ...values,
          ...(code === '' ? {} : { code }),
          ...(organisation === '' ? {} : { organisation }),
        });
      } catch (error) {
        setDemand((current) => readDemand(error, current));
        throw error;
      }
    },
    onDone: async ({ csrfToken }) => {
      setCsrfToken(csrfToken);
      announceSessionChange();
      await adopt();
    },
  });
  return { ...api, demand };
}

/** The organisations to choose from; none is chosen before. */
const listChoices = (organisations: readonly Organisation[]): { value: string; label: string }[] => [
  { value: '', label: '' },
  ...organisations.map(({ slug, name }) => ({ value: slug, label: name })),
];

/** The code of a second factor. */
function CodeInput({ input }: { input: object }) {
  const { t } = useTranslation('access');
  return (
    <TextInput
      label={t('code')}
      description={t('codeHint')}
      autoComplete="one-time-code"
      required
      autoFocus
      {...input}
    />
  );
}

/**
 * Starts a browser session for both products.
 *
 * @param keepsValues whether values that were typed before the last session ended are kept for the user
 */
export function SignInPage({ keepsValues }: { keepsValues: boolean }) {
  const { t } = useTranslation('access');
  const { form, onSubmit, isPending, failure, demand } = useSignIn();
  useDocumentTitle(`${t('title')} – Vouch`);
  const modes = [
    { value: 'live', label: t('modeLive') },
    { value: 'test', label: t('modeTest') },
  ];
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="xl" w="100%" maw={400}>
        <form onSubmit={onSubmit}>
          <Stack>
            <Title order={1} size="h2">
              {t('title')}
            </Title>
            {keepsValues && <Alert color="yellow">{t('kept')}</Alert>}
            <Failure error={isDemand(failure) ? null : failure} />
            <TextInput
              label={t('email')}
              type="email"
              autoComplete="username"
              required
              autoFocus
              {...form.getInputProps('email')}
            />
            <PasswordInput
              label={t('password')}
              autoComplete="current-password"
              required
              {...form.getInputProps('password')}
            />
            {demand.organisations.length > 0 && (
              <NativeSelect
                label={t('organisation')}
                description={t('organisationHint')}
                data={listChoices(demand.organisations)}
                required
                {...form.getInputProps('organisation')}
              />
            )}
            {demand.code && <CodeInput input={form.getInputProps('code')} />}
            <SegmentedControl aria-label={t('mode')} data={modes} {...form.getInputProps('mode')} />
            <Button type="submit" loading={isPending}>
              {t('signIn')}
            </Button>
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}
