import { z } from 'zod';
import { serializeResponse } from '../../../api/business/serialization';
import { defineRoute } from '../../../api/http/route';
import type { Route } from '../../../api/http/route';

/** The compiler checks the handlers: an `@ts-expect-error` fails the type check if the reply below it is accepted. */

const route = {
  method: 'get',
  path: '/v1/widgets',
  operationId: 'getWidget',
  summary: 'Get a widget',
  tag: 'Widgets',
  permission: 'public',
} as const;

const widgetSchema = z.object({
  id: z.string(),
  parts: z.array(z.object({ size: z.number() })),
  note: z.string().nullable(),
});
const replies = {
  200: { description: 'The widget.', schema: z.object({ widget: widgetSchema }) },
  202: { description: 'Accepted.', schema: z.object({ status: z.literal('processing') }) },
};
const fileReplies = { 200: { description: 'The file.', contentType: 'text/plain' } };
const datedReplies = {
  200: { description: 'When.', schema: z.object({ at: z.string(), amounts: z.array(z.number()) }) },
};
const widget = { id: 'w1', parts: [{ size: 1 }], note: null };
const widgetWithoutNote = { id: widget.id, parts: widget.parts };
const widgetWithNumber = { ...widget, id: 1 };
const widgetWithOwner = { ...widget, owner: 'Alex' };
const widgetWithColour = { ...widget, parts: [{ size: 1, colour: 'red' }] };
const file = { bytes: Buffer.from('widget'), contentType: 'text/plain' };
const dated = { at: new Date(0), amounts: [1] };
const respond = <const T>(reply: T): Promise<T> => Promise.resolve(reply);
const isReady = (): Promise<boolean> => Promise.resolve(true);

const accepted: Route[] = [
  defineRoute({
    ...route,
    replies,
    async handle() {
      return (await isReady())
        ? { status: 200, body: { widget }, headers: { ETag: '"1"' } }
        : { status: 202, body: { status: 'processing' } };
    },
  }),
  defineRoute({
    ...route,
    replies: datedReplies,
    handle: () => respond({ status: 200, body: serializeResponse(dated, 'Europe/Berlin') }),
  }),
  defineRoute({ ...route, replies: fileReplies, handle: () => respond({ status: 200, ...file }) }),
];

const rejected: Route[] = [
  // @ts-expect-error the field `note` is missing
  defineRoute({ ...route, replies, handle: () => respond({ status: 200, body: { widget: widgetWithoutNote } }) }),
  // @ts-expect-error `id` is a string
  defineRoute({ ...route, replies, handle: () => respond({ status: 200, body: { widget: widgetWithNumber } }) }),
  // @ts-expect-error the field `owner` is not documented
  defineRoute({ ...route, replies, handle: () => respond({ status: 200, body: { widget: widgetWithOwner } }) }),
  // @ts-expect-error the field `colour` of the array items is not documented
  defineRoute({ ...route, replies, handle: () => respond({ status: 200, body: { widget: widgetWithColour } }) }),
  // @ts-expect-error the status 201 is not documented
  defineRoute({ ...route, replies, handle: () => respond({ status: 201, body: { widget } }) }),
  // @ts-expect-error the body belongs to another status
  defineRoute({ ...route, replies, handle: () => respond({ status: 202, body: { widget } }) }),
  // @ts-expect-error a date must be serialised
  defineRoute({ ...route, replies: datedReplies, handle: () => respond({ status: 200, body: dated }) }),
  // @ts-expect-error a file where JSON is documented
  defineRoute({ ...route, replies, handle: () => respond({ status: 200, ...file }) }),
  // @ts-expect-error JSON where a file is documented
  defineRoute({ ...route, replies: fileReplies, handle: () => respond({ status: 200, body: { widget } }) }),
];

test('documented replies are accepted and all others rejected by the compiler', () => {
  expect([accepted.length, rejected.length]).toEqual([3, 9]);
});
