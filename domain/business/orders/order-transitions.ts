import { conflictError } from '../../errors';
import type { AppError } from '../../errors';

/** 409 `invalid_transition` with the statuses from which an order can change to `to`. */
export const invalidOrderTransitionError = <S extends string>(
  { status }: { status: S },
  to: NoInfer<S>,
  from: readonly NoInfer<S>[],
): AppError =>
  conflictError('invalid_transition', `The order is ${status}; ${to} is possible from ${from.join(', ')}.`, {
    status,
    allowedFrom: from,
  });
