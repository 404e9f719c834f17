import { z } from 'zod';
import { acceptDeliveryReport, REPORT_OUTCOMES } from '../../../services/business/messages/delivery-reports';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { getCaller } from '../caller';

const accept = defineRoute({
  method: 'post',
  path: '/api/messages/delivery-reports',
  operationId: 'acceptDeliveryReport',
  summary: 'Hand over a delivery report',
  description:
    'Accepts a message as the mailbox of delivery reports (`bounceAddress`) received it. A delivery report (RFC 3464) about a message that was sent is recorded with it, and one that says that the delivery failed sets it to `bounced`. ' +
    'The first 128 KB are read, which name message and recipients. Anything else is accepted without an effect, so that a mail server can hand over the whole mailbox. Use an API key with this permission alone.',
  tag: 'Messages',
  addition: true,
  permission: 'messages:report',
  files: { report: { required: true, description: 'The message with its headers (message/rfc822).' } },
  replies: {
    200: {
      description: 'What became of it.',
      schema: z.object({
        data: z.object({
          outcome: z.enum(REPORT_OUTCOMES).meta({
            description:
              '`recorded`; `unknown_message`: not about a message of this organisation; `not_a_report`: no delivery report.',
          }),
          messageId: z.string().nullable(),
        }),
      }),
      example: { data: { outcome: 'recorded', messageId: 'msg_01JD8Q5Z3V9K2M4N6P8R0S2T4W' } },
    },
  },
  errors: { 413: 'The message is larger than 15 MB.' },
  async handle(context, { files }) {
    const raw = files['report']?.body ?? Buffer.alloc(0);
    const data = await acceptDeliveryReport(context.platform, await getCaller(context), raw);
    return { status: 200, body: { data } };
  },
});

export const deliveryReportRoutes: readonly Route[] = [accept];
