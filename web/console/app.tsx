import { MantineProvider } from '@mantine/core';
import { DatesProvider } from '@mantine/dates';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import 'dayjs/locale/de';
import { useTranslation } from 'react-i18next';
import { AuthenticationError, PermissionError, VouchError } from '../../clients/typescript/src/errors';
import { styleNonce } from '../shared/nonce';
import { cssVariablesResolver, theme } from '../shared/theme';
import { router } from './router';

const MONDAY = 1;

/** Codes of the errors that an incomplete account gets. */
const RESTRICTIONS: ReadonlySet<string> = new Set(['password_change_required', 'second_factor_enrolment_required']);

/** The client repeats what may be repeated; a second level of retries would only delay the message. */
const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      // The session has ended: the shell shows the sign-in page, at the same address.
      if (error instanceof AuthenticationError) queryClient.setQueryData(['identity', 'getCredential'], null);
      // The account has to be completed first: the shell shows how.
      if (error instanceof PermissionError && RESTRICTIONS.has(error.code))
        void queryClient.invalidateQueries({ queryKey: ['identity', 'getCredential'] });
    },
  }),
  defaultOptions: {
    queries: {
      retry: false,
      staleTime: 5000,
      refetchOnWindowFocus: true,
      throwOnError: (error) => !(error instanceof VouchError),
    },
  },
});

export function ConsoleApp() {
  const { i18n } = useTranslation('common', { useSuspense: false });
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <DatesProvider settings={{ locale: i18n.language, firstDayOfWeek: MONDAY }}>
        <QueryClientProvider client={queryClient}>
          <ModalsProvider>
            <Notifications />
            <RouterProvider router={router} />
          </ModalsProvider>
        </QueryClientProvider>
      </DatesProvider>
    </MantineProvider>
  );
}
