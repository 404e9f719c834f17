import { parseAllowList, inspectUrl } from '../../../../lib/egress/url';

const findProblem = (url: string, allow: string[] = [], requireHttps = true): string | undefined => {
  const judged = inspectUrl(url, { allow: parseAllowList(allow), requireHttps });
  return 'problem' in judged ? judged.problem : undefined;
};

describe('URLs checked without a DNS query', () => {
  test.each([
    ['', 'not_a_url'],
    ['example.com/hook', 'not_a_url'],
    ['//example.com/hook', 'not_a_url'],
    ['https://', 'not_a_url'],
    ['https:example.com/', 'not_a_url'],
    ['https:/example.com/', 'not_a_url'],
    ['https:///example.com/', 'not_a_url'],
    ['https:\\\\example.com/', 'not_a_url'],
    ['https://example.com\n/hook', 'not_a_url'],
    [' https://example.com/', 'not_a_url'],
    ['https://exa mple.com/', 'not_a_url'],
    ['https://999.1.1.1/', 'not_a_url'],
    ['https://[::1/', 'not_a_url'],
    ['https://[fe80::1%25eth0]/', 'not_a_url'],
    ['https://example.com:0/', 'not_a_url'],
    ['https://example..com/', 'not_a_url'],
    ['https://.example.com/', 'not_a_url'],
    [`https://${'a'.repeat(64)}.example.com/`, 'not_a_url'],
    ['ftp://example.com/', 'scheme_not_allowed'],
    ['file:///etc/passwd', 'scheme_not_allowed'],
    ['gopher://example.com:70/', 'scheme_not_allowed'],
    ['data:text/plain,hello', 'scheme_not_allowed'],
    ['javascript:alert(1)', 'scheme_not_allowed'],
    ['https://user:secret@example.com/', 'credentials_in_url'],
    ['https://user@example.com/', 'credentials_in_url'],
    ['https://:secret@example.com/', 'credentials_in_url'],
    ['http://example.com/', 'https_required'],
    ['https://127.0.0.1/', 'address_not_public'],
    ['https://2130706433/', 'address_not_public'],
    ['https://017700000001/', 'address_not_public'],
    ['https://0x7f000001/', 'address_not_public'],
    ['https://0x7f.1/', 'address_not_public'],
    ['https://0177.0.0.1/', 'address_not_public'],
    ['https://127.1/', 'address_not_public'],
    ['https://127.0.0.1./', 'address_not_public'],
    ['https://１２７.0.0.1/', 'address_not_public'],
    ['https://0/', 'address_not_public'],
    ['https://3232235521/', 'address_not_public'],
    ['https://169.254.169.254/latest/meta-data/', 'address_not_public'],
    ['https://[::1]/', 'address_not_public'],
    ['https://[::ffff:127.0.0.1]/', 'address_not_public'],
    ['https://[::ffff:a9fe:a9fe]/', 'address_not_public'],
    ['https://[64:ff9b::7f00:1]/', 'address_not_public'],
    ['https://localhost/', 'address_not_public'],
    ['https://LOCALHOST./', 'address_not_public'],
    ['https://api.localhost/', 'address_not_public'],
  ])('%s: %s', (url, problem) => {
    expect(findProblem(url)).toBe(problem);
  });

  test('a public host name or address over https is accepted', () => {
    const urls = [
      'https://example.com/hook?a=b',
      'https://example.com:8443/',
      'https://example.com./',
      `https://${'a'.repeat(63)}.example.com/`,
      'https://1.1.1.1/',
      'https://[2606:4700::1111]/',
    ];
    expect(urls.map((url) => findProblem(url))).toEqual(urls.map(() => undefined));
  });

  test('plain HTTP is accepted if https is not required', () => {
    expect(findProblem('http://example.com/', [], false)).toBeUndefined();
  });
});

describe('egress exceptions', () => {
  test('an exact host and port may be private and use plain HTTP', () => {
    expect(findProblem('http://127.0.0.1:9000/hook', ['127.0.0.1:9000'])).toBeUndefined();
    expect(findProblem('http://[::1]:9000/hook', ['[0:0:0:0:0:0:0:1]:9000'])).toBeUndefined();
    expect(findProblem('http://Receiver.Internal/hook', ['receiver.internal:80'])).toBeUndefined();
    expect(findProblem('https://receiver.internal/hook', ['receiver.internal:443'])).toBeUndefined();
  });

  test('another port, host, subdomain or spelling is not covered by an exception', () => {
    const allow = ['127.0.0.1:9000', 'receiver.internal:80'];
    expect(findProblem('http://127.0.0.1:9001/', allow)).toBe('address_not_public');
    expect(findProblem('https://127.0.0.1/', allow)).toBe('address_not_public');
    expect(findProblem('https://127.0.0.2:9000/', allow)).toBe('address_not_public');
    expect(findProblem('http://a.receiver.internal/', allow)).toBe('https_required');
    expect(findProblem('https://localhost:9000/', allow)).toBe('address_not_public');
  });

  test('an exception does not allow credentials or other schemes', () => {
    expect(findProblem('http://me:pw@127.0.0.1:9000/', ['127.0.0.1:9000'])).toBe('credentials_in_url');
    expect(findProblem('ftp://127.0.0.1:9000/', ['127.0.0.1:9000'])).toBe('scheme_not_allowed');
  });
});
