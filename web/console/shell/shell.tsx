import { lazy, Suspense, useEffect } from 'react';
import { SignInPage } from '../platform/access/sign-in-page';
import { SessionProvider, useSessionQuery } from '../session';
import { Loading } from './loading';
import { PageFailure } from './page-failure';

const loadSignedIn = () => import('./signed-in');

/** Most of the console is loaded only for users who have signed in, so that the sign-in page appears quickly. */
const SignedIn = lazy(loadSignedIn);

/** The rest of the console is loaded while the user types. */
function SignIn() {
  useEffect(() => void loadSignedIn().catch(() => undefined), []);
  return <SignInPage />;
}

/** The signed-in frame, or the sign-in page at the same address, so that links work once the user has signed in. */
export function Shell() {
  const { data: session, error, isPending, refetch } = useSessionQuery();
  if (isPending) return <Loading />;
  if (error !== null) return <PageFailure error={error} reset={() => void refetch()} />;
  return (
    <Suspense fallback={<Loading />}>
      {session === null || session === undefined ? (
        <SignIn />
      ) : (
        <SessionProvider value={session}>
          <SignedIn />
        </SessionProvider>
      )}
    </Suspense>
  );
}
