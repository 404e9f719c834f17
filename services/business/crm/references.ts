import { invalidRequestError } from '../../../domain/errors';
import type { FieldProblem } from '../../../domain/errors';
import { Customer } from '../../../models/business/parties/customer';
import { User } from '../../../models/platform/access/user';
import type { BusinessCaller } from '../access/caller';

/** @throws AppError 400 naming each reference that is not an active record of the organisation */
export async function requireReferences(
  { organisationId }: BusinessCaller,
  { ownerId, customerId }: { ownerId?: number | null | undefined; customerId?: number | null | undefined },
): Promise<void> {
  const fields: FieldProblem[] = [];
  if (ownerId != null && (await User.exists({ organisationId, id: ownerId, active: true })) === null)
    fields.push({ field: 'ownerId', problem: 'is not an active user of the company' });
  if (customerId != null && (await Customer.exists({ organisationId, id: customerId, active: true })) === null)
    fields.push({ field: 'customerId', problem: 'is not an active customer of the company' });
  if (fields.length > 0) throw invalidRequestError(fields);
}
