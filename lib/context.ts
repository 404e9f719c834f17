import { AsyncLocalStorage } from 'node:async_hooks';

/** What ties log lines of one request together, from the API through workflows into activities. */
export interface LogContext {
  requestId?: string;
  workflowId?: string;
  activity?: string;
}

const storage = new AsyncLocalStorage<LogContext>();

export const getLogContext = (): LogContext => storage.getStore() ?? {};

export const withLogContext = <T>(context: LogContext, run: () => T): T => storage.run(context, run);
