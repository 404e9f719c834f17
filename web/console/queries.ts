import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { AuthenticationError, PermissionError, VouchError } from '../../clients/typescript/src/errors';

/** Codes of the errors that an incomplete account gets. */
const RESTRICTIONS: ReadonlySet<string> = new Set(['password_change_required', 'second_factor_enrolment_required']);

/** The client repeats what may be repeated; a second level of retries would only delay the message. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      // The session has ended: the shell shows the sign-in page, at the same address.
      if (error instanceof AuthenticationError) queryClient.setQueryData(['identity', 'getCredential'], null);
      // The account has to be completed first: the shell shows how.
      if (error instanceof PermissionError && RESTRICTIONS.has(error.code))
        void queryClient.invalidateQueries({ queryKey: ['identity', 'getCredential'] });
    },
  }),
  mutationCache: new MutationCache({
    onError: (error) => {
      // Either the session has ended, which reading it again shows, or a password was wrong.
      if (error instanceof AuthenticationError)
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
