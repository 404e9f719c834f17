import { AsyncLocalStorage } from 'node:async_hooks';

/** Correlates the log lines of one request across the API, workflows and activities. */
export interface LogContext {
  requestId?: string;
  workflowId?: string;
  activity?: string;
}

const storage = new AsyncLocalStorage<LogContext>();

export const getLogContext = (): LogContext => storage.getStore() ?? {};

export const withLogContext = <T>(context: LogContext, run: () => T): T => storage.run(context, run);
