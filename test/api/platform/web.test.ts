import { getApiUrl } from '../../support/client';

const fetchPage = (path: string): Promise<Response> => fetch(getApiUrl() + path);

describe('the pages of the web applications', () => {
  test.each(['/verify', '/console', '/console/sessions/ses_1'])(
    '%s permits scripts, requests and pictures of this host only, with another nonce each time',
    async (path) => {
      const [first, second] = await Promise.all([fetchPage(path), fetchPage(path)]);
      expect(first.status).toBe(200);
      expect(first.headers.get('cache-control')).toBe('no-store');
      const policy = first.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'self'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("connect-src 'self'");
      expect(policy).not.toContain('unsafe-');
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
      expect(await first.text()).toContain(`nonce="${nonce}"`);
      expect(second.headers.get('content-security-policy')).not.toContain(nonce);
    },
  );

  test('only the capture page may use the camera', async () => {
    expect((await fetchPage('/verify')).headers.get('permissions-policy')).toContain('camera=(self)');
    expect((await fetchPage('/console')).headers.get('permissions-policy')).toContain('camera=()');
  });

  test('assets are cached for a year and sent compressed; a missing one is not found', async () => {
    const page = await (await fetchPage('/console')).text();
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? '';
    const response = await fetch(getApiUrl() + script, { headers: { 'accept-encoding': 'br' } });
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-encoding')).toBe('br');
    expect(response.headers.get('content-type')).toContain('javascript');
    expect((await fetchPage('/assets/none.js')).status).toBe(404);
  });
});
