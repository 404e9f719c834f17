import { VouchError } from '../../clients/typescript/src/errors';
import { client } from './api';
import type { CaptureState } from './api';
import { toFailure } from './failure';

/** Time after which the events are requested again that were refused. */
const RETRY_MS = 5000;

/** Whether the access of this browser has ended; every other refusal passes, such as that of a proxy during a restart. */
const hasEnded = (error: unknown): boolean =>
  error instanceof VouchError && (error.status === 401 || error.status === 410);

/**
 * Follows the capture by server-sent events, which browsers connect again after an interruption, but not after a refusal:
 * then the state is requested until it is answered, and the events after it.
 *
 * @param onEnd called with the reason once the access of this browser has ended
 * @returns stops following
 */
export function follow(onState: (state: CaptureState) => void, onEnd: (code: string) => void): () => void {
  const stopped = new AbortController();
  const { signal } = stopped;
  const wait = (): void => {
    const timer = setTimeout(() => void ask(), RETRY_MS);
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  };
  const ask = async (): Promise<void> => {
    try {
      const { state } = await client.getCaptureState({ signal });
      if (signal.aborted) return;
      onState(state);
      connect();
    } catch (error) {
      if (signal.aborted) return;
      if (hasEnded(error)) onEnd(toFailure(error).code);
      else wait();
    }
  };
  const connect = (): void => {
    const events = new EventSource('/v1/capture/events');
    const parse = ({ data }: MessageEvent<string>): unknown => JSON.parse(data);
    const close = (): void => events.close();
    signal.addEventListener('abort', close, { once: true });
    events.addEventListener('state', (event: MessageEvent<string>) => onState(parse(event) as CaptureState));
    events.addEventListener('end', (event: MessageEvent<string>) => {
      close();
      onEnd((parse(event) as { code: string }).code);
    });
    events.addEventListener('error', () => {
      if (events.readyState !== EventSource.CLOSED) return;
      signal.removeEventListener('abort', close);
      wait();
    });
  };
  connect();
  return () => stopped.abort();
}
