import * as fc from 'fast-check';
import { getAddressFamily, isPublicAddress } from '../../../../lib/egress/address';

/** One address of each forbidden range, and of each way to embed an IPv4 address in an IPv6 address. */
const HOSTILE = [
  // this network, loopback, private
  '0.0.0.0',
  '0.1.2.3',
  '127.0.0.1',
  '127.255.255.254',
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.168.255.255',
  // carrier-grade NAT, with a cloud's metadata service; link-local, with the others'; Azure's platform; Oracle's
  '100.64.0.1',
  '100.100.100.200',
  '100.127.255.255',
  '169.254.0.1',
  '169.254.169.254',
  '169.254.170.2',
  '168.63.129.16',
  '192.0.0.192',
  // protocol assignments, documentation, 6to4 relay, AS112, AMT, benchmarking
  '192.0.0.1',
  '192.0.2.1',
  '198.51.100.7',
  '203.0.113.9',
  '192.88.99.1',
  '192.175.48.1',
  '192.31.196.1',
  '192.52.193.1',
  '198.18.0.1',
  '198.19.255.255',
  // multicast, reserved, broadcast
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  // unspecified, loopback, link-local with and without a zone, unique local with a metadata service, site-local
  '::',
  '::1',
  'fe80::1',
  'fe80::1%eth0',
  'febf::1',
  'fc00::1',
  'fd00::1',
  'fd00:ec2::254',
  'fec0::1',
  // IPv4-mapped, dotted and hexadecimal; IPv4-compatible; translated
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '::ffff:169.254.169.254',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  '::ffff:0:127.0.0.1',
  // NAT64, well-known and local; 6to4; Teredo; ISATAP
  '64:ff9b::7f00:1',
  '64:ff9b::10.0.0.1',
  '64:ff9b:1::a00:1',
  '2002:7f00:1::',
  '2002:a00:1::1',
  '2002:c0a8:101::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:4860::5efe:10.0.0.1',
  '2001:4860::200:5efe:10.0.0.1',
  // discard, benchmarking, ORCHID, documentation, segment routing, multicast, unassigned
  '100::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '3fff::1',
  '5f00::1',
  'ff02::1',
  'ff0e::1',
  '4000::1',
  'e000::1',
  // not four decimal parts, which resolvers do not return
  '0177.0.0.1',
  '0x7f.0.0.1',
  '2130706433',
  '127.1',
  '127.0.0.1.',
  '1.2.3.4.5',
  '',
  'localhost',
  '[::1]',
];

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.1',
  '93.184.215.14',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.255.255',
  '172.32.0.1',
  '192.167.255.255',
  '198.17.255.255',
  '223.255.255.255',
  '2001:4860:4860::8888',
  '2606:4700:4700::1111',
  '2a00:1450:4001:830::200e',
];

describe('public addresses', () => {
  test('the list of forbidden addresses is not empty by mistake', () => {
    expect(HOSTILE.length).toBeGreaterThanOrEqual(60);
    expect(new Set(HOSTILE).size).toBe(HOSTILE.length);
  });

  test.each(HOSTILE)('"%s" is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each(PUBLIC)('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test('no private IPv4 address is public, by itself or embedded in IPv6', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    const privateV4 = fc.oneof(
      fc.tuple(fc.constantFrom(10, 127, 0), octet, octet, octet),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), octet, octet),
      fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
      fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
      fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), octet, octet),
      fc.tuple(fc.integer({ min: 224, max: 255 }), octet, octet, octet),
    );
    fc.assert(
      fc.property(privateV4, ([a, b, c, d]) => {
        const dotted = `${a}.${b}.${c}.${d}`;
        const [high, low] = [((a << 8) | b).toString(16), ((c << 8) | d).toString(16)];
        const forms = [
          dotted,
          `::ffff:${dotted}`,
          `::${high}:${low}`,
          `64:ff9b::${dotted}`,
          `2002:${high}:${low}::1`,
          `2001:4860::5efe:${high}:${low}`,
        ];
        expect(forms.filter(isPublicAddress)).toEqual([]);
      }),
    );
  });

  test('the family of an address is 0 for a host name', () => {
    expect(['1.2.3.4', '2001:4860::1', 'example.com', '127.1'].map(getAddressFamily)).toEqual([4, 6, 0, 0]);
  });
});
