import { DefaultFailureConverter } from '@temporalio/common';

/**
 * Puts messages and stack traces of failures into a payload, so that the payload codec encrypts them too. Clients, workers
 * and the workflow bundle load this module by its path.
 */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
