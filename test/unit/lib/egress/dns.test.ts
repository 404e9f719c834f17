import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createEgress } from '../../../../lib/egress/egress';
import { getEgressReason } from '../../../../lib/egress/failure';
import { NameResolver } from '../../../../lib/egress/name-resolver';
import type { NameResolverOptions } from '../../../../lib/egress/name-resolver';
import { classifyError } from '../../../../workers/attempts';
import { startDnsServer } from '../../../support/dns-server';
import type { DnsAnswer, DnsServer } from '../../../support/dns-server';
import { startReceiver } from '../../../support/receiver';

const openResources: { close(): unknown }[] = [];

const startTestDns = async (decide: (name: string) => DnsAnswer): Promise<DnsServer> => {
  const server = await startDnsServer(decide);
  openResources.push(server);
  return server;
};

const createResolver = (server: DnsServer, options: NameResolverOptions = {}): NameResolver => {
  const resolver = new NameResolver({ servers: [server.address], ...options });
  openResources.push(resolver);
  return resolver;
};

const catchReason = (resolved: Promise<unknown>): Promise<string | undefined> =>
  resolved.then(() => 'resolved', getEgressReason);

afterEach(async () => {
  for (const resource of openResources.splice(0).reverse()) await resource.close();
});

describe('host names', () => {
  test('are resolved by the DNS servers of the setting, and all addresses are checked', async () => {
    const dns = await startTestDns((name) => ({
      addresses: name.startsWith('mixed') ? ['1.1.1.1', '10.0.0.1'] : ['127.0.0.1'],
      ttl: 60,
    }));
    const receiver = await startReceiver();
    const { port, pathname } = new URL(receiver.url);
    const egress = createEgress({ allow: [`hook.example:${port}`], dnsServers: [dns.address] });
    openResources.push(receiver, egress);
    const send = (host: string) =>
      egress.request({
        url: `http://${host}:${port}${pathname}`,
        method: 'POST',
        body: '{}',
        timeoutMs: 20_000,
        maxBodyBytes: 1,
      });
    expect((await send('hook.example')).status).toBe(204);
    expect(await catchReason(send('mixed.example'))).toBe('address_not_public');
    expect(await catchReason(send('private.example'))).toBe('address_not_public');
  });

  test('of the hosts file and localhost are never asked for, also when several are needed at once', async () => {
    const dns = await startTestDns(() => ({ addresses: ['1.1.1.1'], ttl: 60 }));
    const folder = await mkdtemp(path.join(tmpdir(), 'vouch-hosts-'));
    const hostsFile = path.join(folder, 'hosts');
    await writeFile(hostsFile, '# comment\n10.1.1.1 internal.example alias # further\nfd00::1 internal.example\nx y\n');
    const resolver = createResolver(dns, { hostsFile });
    expect(await Promise.all([resolver.resolve('Internal.example.', 'a'), resolver.resolve('alias', 'a')])).toEqual([
      ['10.1.1.1', 'fd00::1'],
      ['10.1.1.1'],
    ]);
    expect(await resolver.resolve('api.localhost', 'a')).toEqual(['127.0.0.1', '::1']);
    expect(dns.queries).toEqual([]);
    expect(await createResolver(dns, { hostsFile: '/nowhere' }).resolve('internal.example', 'a')).toEqual(['1.1.1.1']);
    await rm(folder, { recursive: true });
  });

  test('are asked for once within their TTL, also when several requests need them, and again after it', async () => {
    const dns = await startTestDns((name) =>
      name.startsWith('absent') ? 'absent' : { addresses: ['1.1.1.1'], ttl: name.startsWith('once') ? 0 : 60 },
    );
    const resolver = createResolver(dns);
    await Promise.all(['a', 'b', 'a'].map((tenant) => resolver.resolve('kept.example', tenant)));
    await resolver.resolve('kept.example', 'c');
    await resolver.resolve('once.example', 'a');
    await resolver.resolve('once.example', 'a');
    expect(await catchReason(resolver.resolve('absent.example', 'a'))).toBe('dns_failed');
    expect(await catchReason(resolver.resolve('absent.example', 'a'))).toBe('dns_failed');
    expect(dns.queries).toEqual(['kept.example', 'once.example', 'once.example', 'absent.example']);
  });
});

describe('dead host names', () => {
  const isDead = (name: string): boolean => name.startsWith('dead');
  const serve = () => startTestDns((name) => (isDead(name) ? 'silent' : { addresses: ['1.1.1.1'], ttl: 60 }));

  test('50 of one tenant occupy its own lookups only; another tenant resolves meanwhile', async () => {
    const resolver = createResolver(await serve(), { limits: { perTenant: 8, total: 512, maxWaitMs: 20 } });
    const reasons: (string | undefined)[] = [];
    const dead = Array.from({ length: 50 }, async (_, index) =>
      reasons.push(await catchReason(resolver.resolve(`dead-${index}.example`, 'a'))),
    );
    expect(await resolver.resolve('alive.example', 'b')).toEqual(['1.1.1.1']);
    await Promise.all(dead.slice(8));
    expect(reasons).toEqual(Array.from({ length: 42 }, () => 'dns_busy'));
    resolver.close();
    await Promise.all(dead);
    expect(reasons.slice(42)).toEqual(Array.from({ length: 8 }, () => 'dns_failed'));
  });

  test('a name that a tenant cannot ask for (`egress_busy`, repeated later) is still resolved for another', async () => {
    const resolver = createResolver(await serve(), { limits: { perTenant: 1, total: 512, maxWaitMs: 20 } });
    const dead = catchReason(resolver.resolve('dead.example', 'a'));
    const [refused, resolved] = await Promise.all([
      resolver.resolve('alive.example', 'a').catch((error: unknown) => error),
      resolver.resolve('alive.example', 'b'),
    ]);
    expect(resolved).toEqual(['1.1.1.1']);
    expect(refused).toMatchObject({ code: 'egress_busy', status: 503, details: { reason: 'dns_busy' } });
    expect(classifyError(refused)).toBe('unlimited');
    resolver.close();
    expect(await dead).toBe('dns_failed');
  });

  test('a lookup that waits for a slot goes on when one becomes free', async () => {
    const resolver = createResolver(await serve(), { limits: { perTenant: 1, total: 512, maxWaitMs: 60_000 } });
    const dead = catchReason(resolver.resolve('dead.example', 'a'));
    const waiting = resolver.resolve('alive.example', 'a');
    resolver.close();
    expect(await Promise.all([dead, waiting])).toEqual(['dns_failed', ['1.1.1.1']]);
  });
});
