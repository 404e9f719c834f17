import { forgetUnanswered, repeatWithSameKey } from '../../../web/shared/api/unanswered';

const ADDRESS = 'https://vouch.example.com/api/receivables/payments';

/** Sends a body with a new key, and returns the key that reached the service, which answers with `respond`. */
async function send(
  body: string | FormData,
  respond: () => Promise<Response>,
  key = crypto.randomUUID(),
): Promise<string> {
  let sent = '';
  const fetchWithKey = repeatWithSameKey((_input, { headers }) => {
    sent = new Headers(headers).get('idempotency-key') ?? '';
    return respond();
  });
  await fetchWithKey(ADDRESS, { method: 'POST', body, headers: { 'idempotency-key': key } }).catch(() => undefined);
  return sent;
}

const lose = () => Promise.reject(new TypeError('Failed to fetch'));
const answer = (status: number) => () => Promise.resolve(new Response('{}', { status }));
const cutOff = () => {
  const body = new ReadableStream({ start: (controller) => controller.error(new TypeError('network error')) });
  return Promise.resolve(new Response(body, { status: 201 }));
};

beforeEach(forgetUnanswered);

test.each([
  ['was lost', lose],
  ['was cut off', cutOff],
  ['is a failure of the service', answer(502)],
  ['is that the sign-in has ended', answer(401)],
  ['is that the first one is still running', answer(409)],
])('a request whose response %s is repeated with its key', async (_case, respond) => {
  const first = await send('{"amount":30}', respond);
  expect(await send('{"amount":30}', respond)).toBe(first);
  expect(await send('{"amount":30}', answer(201))).toBe(first);
  expect(await send('{"amount":30}', answer(201))).not.toBe(first);
});

test.each([
  ['was executed', 201],
  ['was rejected', 422],
])('a request that %s is not repeated with its key', async (_case, status) => {
  const first = await send('{"amount":30}', answer(status));
  expect(await send('{"amount":30}', answer(status))).not.toBe(first);
});

test('another request has its own key, also if it differs in a file only', async () => {
  const upload = (content: string): FormData => {
    const form = new FormData();
    form.append('format', 'mt940');
    form.append('statement', new Blob([content]), 'statement');
    return form;
  };
  const first = await send('{"amount":30}', lose);
  expect(await send('{"amount":40}', lose)).not.toBe(first);
  const file = await send(upload('one'), lose);
  expect(await send(upload('one'), lose)).toBe(file);
  expect(await send(upload('three'), lose)).not.toBe(file);
});

test('the same request is a new one once the user has begun something else', async () => {
  const first = await send('{"amount":30}', lose);
  forgetUnanswered();
  expect(await send('{"amount":30}', lose)).not.toBe(first);
});
