/**
 * The interface between workflows and the rest of the service: queue names, workflow names with their arguments, workflow
 * ids, signals, timeouts and retry policies. It contains no workflow code, so that services can import it.
 */
export * from './activity-options';
export * from './queues';
export * from './search-attributes';
export * from './signals';
export * from './transaction-lifetime';
export * from './workflow-arguments';
export * from './workflow-ids';
