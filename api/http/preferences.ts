import type { Preferences } from './route';

/** Reads the header `Prefer`. A wait of any length is accepted: each route limits it to what it offers. */
export function parsePreferences(header: string | undefined): Preferences {
  const prefer = (header ?? '').toLowerCase();
  const wait = /(?:^|[,;\s])wait=(\d+)(?:$|[,;\s])/.exec(prefer)?.[1];
  return {
    waitSeconds: wait === undefined ? null : Number(wait),
    respondAsync: /(?:^|[,;\s])respond-async(?:$|[,;\s])/.test(prefer),
  };
}
