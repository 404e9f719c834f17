import { MantineThemeProvider } from '@mantine/core';
import { lazy, Suspense, useEffect, useState } from 'react';
import { hasUnsentValues } from '../components/use-leave-guard';
import { SignInPage } from '../platform/access/sign-in-page';
import { SessionProvider, useOtherWindows, useSessionQuery } from '../session';
import type { SignedIn as SignedInSession } from '../session';
import { Loading } from './loading';
import { PageFailure } from './page-failure';

const loadSignedIn = () => import('./signed-in');

/** Most of the console is loaded only for users who have signed in, so that the sign-in page appears quickly. */
const SignedIn = lazy(loadSignedIn);

/** The rest of the console is loaded while the user types. */
function SignIn({ keepsValues }: { keepsValues: boolean }) {
  useEffect(() => void loadSignedIn().catch(() => undefined), []);
  return <SignInPage keepsValues={keepsValues} />;
}

/**
 * The pages of a session, and their dialogs, which are hidden while the user signs in again: what was typed is still there
 * afterwards.
 */
function SessionPages({ session, isHidden }: { session: SignedInSession; isHidden: boolean }) {
  const [target, setTarget] = useState<HTMLElement | null>(null);
  const theme = target === null ? {} : { components: { Portal: { defaultProps: { target } } } };
  return (
    <div hidden={isHidden} inert={isHidden}>
      <MantineThemeProvider theme={theme}>
        <SessionProvider value={session}>
          <SignedIn />
        </SessionProvider>
      </MantineThemeProvider>
      <div ref={setTarget} />
    </div>
  );
}

/** The signed-in frame, or the sign-in page at the same address, so that links work once the user has signed in. */
export function Shell() {
  useOtherWindows();
  const { data: session = null, error, isPending, refetch } = useSessionQuery();
  const [shown, setShown] = useState(session);
  if (session !== null && session !== shown) setShown(session);
  // Records of a session that has ended stay only behind the sign-in page, and only if something would be lost.
  if (session === null && shown !== null && !hasUnsentValues()) setShown(null);
  if (isPending) return <Loading />;
  if (error !== null) return <PageFailure error={error} reset={() => void refetch()} />;
  return (
    <Suspense fallback={<Loading />}>
      {session === null && <SignIn keepsValues={shown !== null} />}
      {shown !== null && (
        <SessionPages
          key={`${shown.user.id} ${shown.organisation.id} ${shown.mode}`}
          session={shown}
          isHidden={session === null}
        />
      )}
    </Suspense>
  );
}
