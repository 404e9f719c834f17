import { awaitFile } from '../../../web/console/business/records/await-file';

/** A file of which the API answers the state until it was requested so often. */
function renderAfter(requests: number, onRequest: (count: number) => void = () => undefined) {
  let count = 0;
  const read = (): Promise<unknown> => {
    count += 1;
    onRequest(count);
    return Promise.resolve(count < requests ? { data: { status: 'rendering' } } : new Blob(['%PDF-']));
  };
  return { read, count: () => count };
}

test('a file is requested until it is rendered', async () => {
  const { read, count } = renderAfter(4);
  const file = await awaitFile(read, new AbortController().signal, 0);
  expect([file.size, count()]).toEqual([5, 4]);
});

test('a file that is not rendered is not awaited without end', async () => {
  const { read, count } = renderAfter(Infinity);
  const file = awaitFile(read, new AbortController().signal, 0);
  await expect(file).rejects.toMatchObject({ status: 503, code: 'pdf_not_ready' });
  expect(count()).toBe(60);
});

test('a page that is left ends the requests', async () => {
  const page = new AbortController();
  const { read, count } = renderAfter(Infinity, (requests) => {
    if (requests === 3) page.abort(new Error('left'));
  });
  await expect(awaitFile(read, page.signal, 0)).rejects.toThrow('left');
  expect(count()).toBe(3);
});

test('a page that is left does not wait for the next request', async () => {
  const page = new AbortController();
  const { read, count } = renderAfter(Infinity, () => setImmediate(() => page.abort(new Error('left'))));
  await expect(awaitFile(read, page.signal)).rejects.toThrow('left');
  expect(count()).toBe(1);
});
