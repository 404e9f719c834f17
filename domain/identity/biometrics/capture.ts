import { buildRisk } from '../checks/risks';
import type { Risk, RiskContext } from '../checks/risks';

/**
 * Correlations from which two images of a face are the same picture, chosen with 225 pairs of different photographs of
 * five people (maximum 0.87) and photographs of displays and prints that show one picture (1 % below 0.96). Earlier
 * evidence needs more, because it is compared with many pictures.
 */
export const SAME_CAPTURE = { session: 0.92, earlier: 0.95 } as const;

/** The risk of two images that are the same picture; none if one of them has no face. */
export const assessSameCapture = (correlation: number | null, limit: number, context: RiskContext = {}): Risk[] =>
  correlation === null || correlation < limit
    ? []
    : [
        buildRisk('same_capture', {
          ...context,
          details: { correlation: Math.round(correlation * 1000) / 1000, ...context.details },
        }),
      ];
