import type { AddressInfo } from 'node:net';
import express from 'express';
import helmet from 'helmet';
import { createCookieJar } from '../../../api/http/browser';
import { createWebRouter } from '../../../api/web/pages';

/** The headers of a page, embedded by pages of these origins. */
async function readHeaders(path: string, frameOrigins: string[]): Promise<Headers> {
  const app = express().use(helmet(), createWebRouter({ NODE_ENV: 'test', CAPTURE_FRAME_ORIGINS: frameOrigins }));
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    return (await fetch(`http://127.0.0.1:${port}${path}`)).headers;
  } finally {
    server.close();
  }
}

test('only the capture page can be embedded, and only by the configured origins', async () => {
  const embedded = await readHeaders('/verify', ['https://shop.example']);
  expect(embedded.get('content-security-policy')).toContain('frame-ancestors https://shop.example;');
  expect((await readHeaders('/verify', [])).get('content-security-policy')).toContain("frame-ancestors 'none'");
  const console = await readHeaders('/console', ['https://shop.example']);
  expect(console.get('content-security-policy')).toContain("frame-ancestors 'none'");
});

test('the cookie of an embedded page is kept apart for each embedding site, over https', () => {
  const set = (PUBLIC_URL: string, inFrames: boolean) =>
    createCookieJar({ PUBLIC_URL }, 'capture', { inFrames }).set('token', 60);
  expect(set('https://verify.example', true)).toBe(
    '__Host-vouch_capture=token; Max-Age=60; Path=/; HttpOnly; Secure; Partitioned; SameSite=None',
  );
  expect(set('https://verify.example', false)).toMatch(/^__Host-vouch_capture=token;.*SameSite=Strict$/);
  expect(set('http://127.0.0.1:3000', true)).toMatch(/^vouch_capture_3000=token;.*SameSite=Strict$/);
});
