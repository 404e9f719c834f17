import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { AuthenticationError, PermissionError, VouchError } from '../../clients/typescript/src/errors';

/** Codes of the errors that a user gets whose account is incomplete, or whose role has changed meanwhile. */
const OTHER_SESSION: ReadonlySet<string> = new Set([
  'password_change_required',
  'second_factor_enrolment_required',
  'forbidden',
]);

/** Reads the signed-in user again after a failure that another state of the account explains, which the shell then shows. */
function followAccount(error: Error): void {
  if (error instanceof PermissionError && OTHER_SESSION.has(error.code))
    void queryClient.invalidateQueries({ queryKey: ['identity', 'getCredential'] });
}

/** The client repeats what may be repeated; a second level of retries would only delay the message. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      // The session has ended: the shell shows the sign-in page, at the same address.
      if (error instanceof AuthenticationError) queryClient.setQueryData(['identity', 'getCredential'], null);
      followAccount(error);
    },
  }),
  mutationCache: new MutationCache({
    onError: (error) => {
      // Either the session has ended, which reading it again shows, or a password was wrong.
      if (error instanceof AuthenticationError)
        void queryClient.invalidateQueries({ queryKey: ['identity', 'getCredential'] });
      followAccount(error);
      // The button or dialog that would show the failure may not be part of the other role.
      if (error instanceof PermissionError && error.code === 'forbidden')
        void import('./components/notify-failure').then(({ notifyFailure }) => notifyFailure(error));
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
