// tier: default
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { SECOND } from '../../base/clock.ts';
import { SmtpClient } from './smtp-client.ts';

test('a mail fails after 30 seconds even if the server sends something all the time', async (t) => {
  const { promise: isTrickling, resolve: trickle } = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.write('220 ready\r\n');
    createInterface(socket).on('line', (line) => {
      // An answer that never ends.
      const isMail = line.startsWith('MAIL FROM');
      socket.write(isMail ? '250-still working\r\n' : '250 ok\r\n', () => isMail && trickle());
    });
  }).listen(0, '127.0.0.1');
  after(() => server.close());
  await once(server, 'listening');
  const address = server.address();
  assert(address !== null && typeof address === 'object');

  t.mock.timers.enable({ apis: ['setTimeout'] });
  const client = new SmtpClient({
    ...{ host: '127.0.0.1', port: address.port, from: 'holdall@example.org' },
    ...{ isTls: false, isLocal: true, login: undefined },
  });
  const letter = { subject: 'Test', text: 'Test', html: '<p>Test</p>', settingsUrl: undefined };
  const mail = { to: 'ada@example.org', from: 'Holdall', letter, language: 'en', messageId: 'id' };
  const sending = assert.rejects(client.send(mail), {
    name: 'MailFault',
    message: 'The mail server took longer than 30 s.',
    concernsAll: true,
  });
  await isTrickling;
  t.mock.timers.tick(30 * SECOND);
  await sending;
  await client.close();
});
