import { useRef, useState } from 'react';
import type { OperationResponse } from '../../../../clients/typescript/src/calls';
import { business } from '../../../shared/api/business';
import { identity } from '../../../shared/api/identity';
import { useSession } from '../../session';

type Segment = Omit<OperationResponse<'verifyAuditLog'>, 'ok'>;

/** A verification of the whole chain, which takes one request for each segment. */
export interface Verification {
  state: 'idle' | 'running' | 'done' | 'cancelled';
  /** The latest segment. */
  segment: Segment | null;
  error: unknown;
  start: () => void;
  cancel: () => void;
}

/** Verifies the audit log from its first row to the last, or to the first that does not match. */
export function useVerification(): Verification {
  const session = useSession();
  const [state, setState] = useState<Verification['state']>('idle');
  const [segment, setSegment] = useState<Segment | null>(null);
  const [error, setError] = useState<unknown>(null);
  const running = useRef<AbortController | null>(null);
  const verify = async (from: number, signal: AbortSignal): Promise<Segment> =>
    session.identity.has('audit:read')
      ? identity.verifyAuditLog({ from }, { signal })
      : (await business.verifyAuditLog({ from }, { signal })).data;

  const run = async (signal: AbortSignal): Promise<void> => {
    for (let from: number | null = 1; from !== null;) {
      const verified: Segment = await verify(from, signal);
      setSegment(verified);
      from = verified.nextFrom;
    }
  };
  const start = (): void => {
    const controller = new AbortController();
    running.current = controller;
    setState('running');
    setError(null);
    run(controller.signal).then(
      () => setState('done'),
      (failure: unknown) => {
        setState(controller.signal.aborted ? 'cancelled' : 'idle');
        setError(controller.signal.aborted ? null : failure);
      },
    );
  };
  return { state, segment, error, start, cancel: () => running.current?.abort() };
}
