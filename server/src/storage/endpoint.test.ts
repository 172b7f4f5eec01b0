// tier: default
import assert from 'node:assert/strict';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { guardedLookup, toEndpoint } from './endpoint.ts';

for (const address of [
  'http://169.254.169.254',
  'http://169.254.169.254:9000/latest',
  'http://2852039166/',
  'http://0xA9FEA9FE/',
  'http://0251.0376.0251.0376/',
  'http://169.254.43518',
  'http://169.254.169.254./',
  'http://１６９.254.169.254/',
  'http://[::ffff:169.254.169.254]/',
  'http://[::ffff:a9fe:a9fe]:80/',
  'http://[fd00:ec2::254]',
  'http://[fe80::1]',
  'http://[fe80::1%25eth0]',
  'http://0/',
  'http://0.0.0.0:9000',
  'http://[::]/',
  'http://224.0.0.1',
  'http://255.255.255.255',
  'https://user:password@s3.example.org',
  'https://user@s3.example.org',
  'https://s3.example.org/?x=1',
  'https://s3.example.org/#x',
  'ftp://s3.example.org',
  'file:///etc/passwd',
  'gopher://s3.example.org',
  "https://s3.example.org;script-src'self'",
  "https://s3'.example.org",
  'https://s3.example.org,x.example.org',
  'https://*.example.org',
  'https://s3"example.org',
  'https://s3.example.org$(x)',
  's3.example.org',
  '//s3.example.org',
  '',
  `https://${'x.'.repeat(400)}org`,
]) {
  test(`"${address.slice(0, 60)}" is not a valid endpoint`, () => {
    assert.throws(() => toEndpoint(address), { name: 'Failure', kind: 'invalid' });
  });
}

for (const [address, expected] of [
  ['https://s3.example.org/', 'https://s3.example.org'],
  ['http://127.0.0.1:9000', 'http://127.0.0.1:9000'],
  ['http://localhost:9000', 'http://localhost:9000'],
  ['http://[::1]:9000', 'http://[::1]:9000'],
  ['http://10.1.2.3', 'http://10.1.2.3'],
  ['http://object_store:9000', 'http://object_store:9000'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ['HTTPS://S3.Example.ORG/base/', 'https://s3.example.org/base'],
] as const) {
  test(`${address} is a valid endpoint`, () => assert.equal(toEndpoint(address), expected));
}

test('a host name is resolved before the connection, and may point to this machine', async () => {
  const server = createServer((_request, response) => response.end('store')).listen(0, '127.0.0.1');
  after(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const status = await new Promise((resolve, reject) => {
    const request = get({ host: 'localhost', port, family: 4, lookup: guardedLookup }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', reject);
  });
  assert.equal(status, 200);
});

for (const all of [true, false]) {
  test(`a host name with a forbidden address is rejected (all: ${all})`, async () => {
    // The system's resolver returns an IP address unchanged, in any notation.
    const error = await new Promise((resolve) =>
      guardedLookup('169.254.169.254', { all }, (fault) => resolve(fault)),
    );
    assert.match(String(error), /is not allowed for a store/);
  });
}
