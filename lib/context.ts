import { AsyncLocalStorage } from 'node:async_hooks';

/** Correlates the log lines of one request across the API, workflows and activities. */
export interface LogContext {
  requestId?: string;
  workflowId?: string;
  activity?: string;
}

const storage = new AsyncLocalStorage<LogContext>();

/** The fields that log lines of the present request, workflow or activity have; empty outside of one. */
export const getLogContext = (): LogContext => storage.getStore() ?? {};

/** Runs `run` with the fields that its log lines have; they replace those of an outer context. */
export const withLogContext = <T>(context: LogContext, run: () => T): T => storage.run(context, run);
