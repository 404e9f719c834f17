import { useEffect, useState } from 'react';
import { setCsrfToken } from '../shared/api/transport';
import { client } from './api';
import { follow } from './follow-capture';
import { toFailure } from './failure';
import type { Failure } from './failure';
import type { CaptureState } from './api';

export type Capture =
  | { phase: 'opening' }
  | { phase: 'failed'; failure: Failure }
  | { phase: 'open'; state: CaptureState }
  | { phase: 'closed'; returnUrl: string | null; organisation: string };

interface Opened {
  csrfToken: string;
  state: CaptureState;
}

/** Windows of one browser share a cookie: which session it gives access to is told to the others. */
const otherWindows = new BroadcastChannel('vouch-capture');

/** Exchanges the token of the address, else continues with the cookie of an earlier visit. */
async function open(): Promise<CaptureState> {
  const token = window.location.hash.slice(1);
  const opened: Opened = token === '' ? await client.getCaptureState() : await client.exchangeCaptureLink({ token });
  setCsrfToken(opened.csrfToken);
  // The token is used: the address in the history must not open the page again.
  if (token !== '') window.history.replaceState(null, '', window.location.pathname);
  otherWindows.postMessage(opened.state.sessionId);
  return opened.state;
}

/** One exchange for each visit, however often the component is mounted. */
let opening: Promise<CaptureState> | null = null;

function describeOpeningFailure(error: unknown): Failure {
  const failure = toFailure(error);
  const hasToken = window.location.hash.length > 1;
  return failure.code === 'unauthorized' && !hasToken ? { ...failure, code: 'noLink' } : failure;
}

export interface CaptureControls {
  /** Shows a state that the service has answered with. */
  update: (state: CaptureState) => void;
  /** Tries to open the page again. */
  retry: () => void;
  /** Ends the access of this browser, and returns the person to the organisation. */
  finish: () => Promise<void>;
}

/** The capture of the link that was opened, kept up to date. */
export function useCapture(): [Capture, CaptureControls] {
  const [capture, setCapture] = useState<Capture>({ phase: 'opening' });
  const [attempt, setAttempt] = useState(0);
  const isOpen = capture.phase === 'open';

  useEffect(() => {
    let ignored = false;
    opening ??= open();
    opening.then(
      (state) => ignored || setCapture({ phase: 'open', state }),
      (error: unknown) => ignored || setCapture({ phase: 'failed', failure: describeOpeningFailure(error) }),
    );
    return () => {
      ignored = true;
    };
  }, [attempt]);

  useEffect(() => {
    // Another link was opened in the same window.
    const reload = (): void => window.location.reload();
    window.addEventListener('hashchange', reload);
    return () => window.removeEventListener('hashchange', reload);
  }, []);

  const sessionId = capture.phase === 'open' ? capture.state.sessionId : null;
  useEffect(() => {
    // Another session was opened in this browser: this window shows it, too, because it can only continue that one.
    const onMessage = ({ data }: MessageEvent<unknown>): void => {
      if (sessionId !== null && data !== sessionId) window.location.reload();
    };
    otherWindows.addEventListener('message', onMessage);
    return () => otherWindows.removeEventListener('message', onMessage);
  }, [sessionId]);

  useEffect(() => {
    if (!isOpen) return undefined;
    return follow(
      (state) => setCapture((current) => (current.phase === 'open' ? { phase: 'open', state } : current)),
      (code) =>
        setCapture((current) =>
          current.phase === 'open' ? { phase: 'failed', failure: { code, requestId: null } } : current,
        ),
    );
  }, [isOpen]);

  const controls: CaptureControls = {
    update: (state) => setCapture({ phase: 'open', state }),
    retry() {
      opening = null;
      setCapture({ phase: 'opening' });
      setAttempt(attempt + 1);
    },
    async finish() {
      const organisation = capture.phase === 'open' ? capture.state.organisation.name : '';
      try {
        const { returnUrl } = await client.finishCapture();
        setCsrfToken(null);
        setCapture({ phase: 'closed', returnUrl, organisation });
        if (returnUrl !== null) window.location.assign(returnUrl);
      } catch (error) {
        setCapture({ phase: 'failed', failure: toFailure(error) });
      }
    },
  };
  return [capture, controls];
}
