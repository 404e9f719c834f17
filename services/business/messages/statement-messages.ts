import type { StatementDocument, StatementFormat } from '../../../domain/business/payments/statement';
import { notFoundError } from '../../../domain/errors';
import { Message } from '../../../models/business/messages/message';
import type { MessageRecord } from '../../../models/business/messages/message';
import { Customer } from '../../../models/business/parties/customer';
import type { CustomerRecord } from '../../../models/business/parties/customer';
import type { Platform } from '../../platform/platform';
import { runIdempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { saveStatement } from '../payments/statements';
import { composeAboutStatement } from './compose';
import { requireEmailSettings } from './email-settings';
import { getTemplate } from './email-templates';
import { getMessage, queueMessage, rejectUnknownPlaceholders, requireRecipients } from './messages';
import type { SendInput } from './messages';

/** What a client can choose about a message with a statement. */
export type SendStatementInput = Omit<SendInput, 'formats'> & { formats: StatementFormat[] };

/** The present address of a customer. */
async function findCustomerAddress(organisationId: string, id: number): Promise<string | null> {
  const customer = await Customer.findOne({ organisationId, id }, { email: 1 }).lean<Pick<CustomerRecord, 'email'>>();
  return customer?.email ?? null;
}

/**
 * Queues an e-mail with a statement as it is now. It is sent like a document.
 * @throws AppError 409 `email_not_configured`; 400 without an address
 */
export async function sendStatement(
  platform: Platform,
  caller: BusinessCaller,
  statement: StatementDocument,
  input: SendStatementInput,
  use: IdempotentUse | undefined,
): Promise<MessageRecord> {
  const { organisationId, company } = caller;
  const { language, customer } = statement;
  rejectUnknownPlaceholders(input);
  return runIdempotently(
    platform,
    use,
    async (claim) => {
      await requireEmailSettings(organisationId);
      const recipients = await requireRecipients(input, () => findCustomerAddress(organisationId, customer.id));
      const template = await getTemplate(organisationId, 'statement', language);
      const own = { subject: input.subject ?? template.subject, text: input.text ?? template.text };
      const content = composeAboutStatement(own, statement, company.baseCurrencyCode);
      const { id } = await saveStatement(platform, organisationId, statement);
      return runTransaction(platform, async (unit) => {
        const message = await queueMessage(unit, {
          organisationId,
          kind: 'statement',
          documentKind: 'statement',
          documentId: id,
          customerId: customer.id,
          level: null,
          language,
          recipients,
          ...content,
          formats: input.formats,
          createdBy: caller.id,
        });
        await claim(unit, message._id, 202);
        return message;
      });
    },
    (messageId) => getMessage(organisationId, messageId),
  );
}

/** The messages with statements of a customer, newest first. @throws AppError 404 */
export async function listStatementMessages(organisationId: string, customerId: number): Promise<MessageRecord[]> {
  if ((await Customer.exists({ organisationId, id: customerId })) === null) throw notFoundError('customer');
  return Message.find({ organisationId, customerId, kind: 'statement' })
    .sort({ _id: -1 })
    .limit(100)
    .lean<MessageRecord[]>();
}
