/** The signals on which Temporal's runtime drains the workers of a process. */
const SHUTDOWN_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGQUIT', 'SIGUSR2'] as const;

/** Aborted when the process begins to stop: activities that work off a backlog then take no further rows. */
export function createStoppingSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const name of SHUTDOWN_SIGNALS) process.once(name, () => stopping.abort());
  return stopping.signal;
}
