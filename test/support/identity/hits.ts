import { amlResultSchema } from '../../../api/identity/aml/result-responses';
import type { Session } from './identity';

/** The hits of the screening of a session. */
export const getHits = ({ results }: Session) => amlResultSchema.parse(results.aml).hits;
