import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, use, useEffect, useEffectEvent } from 'react';
import { AuthenticationError } from '../../clients/typescript/src/errors';
import type { OperationResponse } from '../../clients/typescript/src/calls';
import { identity, identityQuery } from '../shared/api/identity';
import { setCsrfToken } from '../shared/api/transport';
import { EDITED } from './components/use-edited-record';
import { useMayLeave } from './components/use-leave-guard';

type Credential = OperationResponse<'getCredential'>;
type IdentityPermission = Credential['permissions'][number];
export type BusinessPermission = Credential['businessPermissions'][number];

/** The signed-in user, with the permissions of both products. */
export interface SignedIn {
  user: NonNullable<Credential['user']>;
  organisation: Credential['organisation'];
  mode: Credential['mode'];
  identity: ReadonlySet<IdentityPermission>;
  business: ReadonlySet<BusinessPermission>;
  /** What `business` is in live mode. */
  businessInLive: ReadonlySet<BusinessPermission>;
  /** What the user must do before anything else; null for a complete account. */
  restriction: Credential['restriction'];
  /** Address of the namespace in the Temporal UI; null if it is not configured. */
  temporalUi: string | null;
}

/** Whether the signed-in user may open a page. */
export type Allows = (session: SignedIn) => boolean;

function toSignedIn(credential: Credential): SignedIn | null {
  const { user, organisation, mode, permissions, businessPermissions, restriction } = credential;
  if (user === null) return null;
  const businessInLive = new Set(businessPermissions);
  return {
    user,
    organisation,
    mode,
    identity: new Set(permissions),
    // The business API has live records only.
    business: mode === 'live' ? businessInLive : new Set(),
    businessInLive,
    restriction,
    temporalUi: credential.temporalUi,
  };
}

/** The session that this window has shown last, also after its end. */
let lastSignedIn: SignedIn | null = null;

/** The mode in which a sign-in continues with what was typed: that of the last session. */
export const getLastMode = (): SignedIn['mode'] => lastSignedIn?.mode ?? 'live';

/** Reads the credential of the browser's cookie; null without a session. */
async function readSession(options: { signal?: AbortSignal }): Promise<SignedIn | null> {
  try {
    const credential = await identity.getCredential(options);
    setCsrfToken(credential.csrfToken);
    const session = toSignedIn(credential);
    lastSignedIn = session ?? lastSignedIn;
    return session;
  } catch (error) {
    if (!(error instanceof AuthenticationError)) throw error;
    setCsrfToken(null);
    return null;
  }
}

/** The query of the signed-in user; its data are null without one. */
export const sessionQuery = { ...identityQuery('getCredential', [], readSession), staleTime: Infinity };

/**
 * The state of reading the session: loading, failed, or the signed-in user (null without one). It does not go stale by
 * time: signing in or out, and changes in other windows, replace it.
 */
export const useSessionQuery = () => useQuery(sessionQuery);

const SessionContext = createContext<SignedIn | null>(null);

export const SessionProvider = SessionContext.Provider;

/** The signed-in user, in every page of the console except the sign-in page. */
export function useSession(): SignedIn {
  const session = use(SessionContext);
  if (session === null) throw new Error('useSession is called outside SessionProvider.');
  return session;
}

/** Windows of one browser share a cookie: what changes it in one of them is announced to the others. */
const otherWindows = new BroadcastChannel('vouch-console-session');

/** Announces to the other windows that the cookie has changed: by signing in or out, or by another mode. */
export const announceSessionChange = (): void => otherWindows.postMessage(null);

const isSameSession = (one: SignedIn | null, other: SignedIn | null): boolean =>
  one !== null &&
  one.user.id === other?.user.id &&
  one.organisation.id === other.organisation.id &&
  one.mode === other.mode;

/**
 * Shows the session that the cookie now belongs to. The same user in the same mode continues with what was typed; for
 * every other one all that was read is forgotten.
 */
export function useAdoptSession(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    const before = lastSignedIn;
    const now = await readSession({});
    if (!isSameSession(before, now)) return queries.resetQueries();
    queries.setQueryData(sessionQuery.queryKey, now);
    // An editor keeps the version that it began with.
    await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== EDITED });
  };
}

/**
 * Follows what other windows do with the cookie, so that no window shows records under the name or the mode of another
 * session.
 */
export function useOtherWindows(): void {
  const adopt = useEffectEvent(useAdoptSession());
  useEffect(() => {
    // A service that does not respond now is asked again by the next request of the page.
    const onMessage = (): void => void adopt().catch(() => undefined);
    otherWindows.addEventListener('message', onMessage);
    return () => otherWindows.removeEventListener('message', onMessage);
  }, []);
}

/** Shows the records of the other mode; what was read of this one is forgotten, and what was typed on its pages. */
export function useSwitchMode(): (mode: SignedIn['mode']) => Promise<void> {
  const queries = useQueryClient();
  const mayLeave = useMayLeave();
  return async (mode) => {
    if (!(await mayLeave())) return;
    try {
      const { csrfToken } = await identity.switchConsoleMode({ mode });
      setCsrfToken(csrfToken);
    } catch (error) {
      // A session that has ended is read again with everything else, which shows the sign-in page.
      if (!(error instanceof AuthenticationError)) throw error;
    }
    announceSessionChange();
    await queries.resetQueries();
  };
}

/** Ends the browser session and forgets everything that was read with it. */
export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await identity.logoutFromConsole().catch((error: unknown) => {
      // A session that has already ended needs no end.
      if (!(error instanceof AuthenticationError)) throw error;
    });
    setCsrfToken(null);
    announceSessionChange();
    queries.clear();
    window.location.assign('/console');
  };
}
