// tier: default
// runs on: sqlite
// needs: nginx
//
// WebDAV through a real nginx with the example configuration, as seen by clients of
// https://drive.example.org:8443.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { before, describe, test } from 'node:test';
import { inFull } from '../../../tools/testing/tiers.ts';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { listBuffered, startExampleNginx } from '../support/app/behind-nginx.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { Person } from '../support/app/person.ts';
import { type DavClient, hasCondition, named, textOfProperty } from '../support/dav/dav-client.ts';
import { asDavClient } from '../support/dav/dav-clients.ts';
import { listStoredFiles } from '../support/drive/stored-files.ts';

const MB = 1_000_000;
/** The example configuration passes this host on without the port. */
const HOST = 'drive.example.org:8443';

const holdall = await startHoldall({
  env: {
    HOLDALL_PUBLIC_URL: `https://${HOST}`,
    HOLDALL_TRUST_PROXY: '127.0.0.1,::1',
    HOLDALL_ACCEL_REDIRECT: '/_objects/',
  },
});
const nginx = await startExampleNginx({
  upstreamPorts: [Number(new URL(holdall.url).port)],
  dataDir: holdall.dataDir,
});
let client: DavClient;

before(async () => {
  const alice = await new Person('alice', nginx.url).register(await holdall.inviteCode());
  client = (await asDavClient(alice)).with({ host: HOST });
});

describe('a PUT without a length', inFull, () => {
  test('is passed on without buffering, and its file can be downloaded unchanged', async () => {
    const piece = randomBytes(MB);
    const hash = createHash('sha256');
    const { outgoing, response } = startPut('/dav/large.bin', client.authorization);
    const send = async (pieces: number) => {
      for (let count = 0; count < pieces; count += 1) {
        hash.update(piece);
        if (!outgoing.write(piece)) await once(outgoing, 'drain');
      }
    };
    await send(15);
    // Half of the file was sent, and Holdall has stored all of that but a few buffers.
    await waitUntil('ten megabytes are stored', async () => (await largestStored()) >= 10 * MB);
    await send(15);
    outgoing.end();
    assert.equal((await response).statusCode, 201);
    assert.deepEqual(await listBuffered(nginx), []);

    const received = await fetch(new URL('/dav/large.bin', nginx.url), {
      headers: { authorization: client.authorization },
    });
    const receivedHash = createHash('sha256');
    for await (const chunk of received.body ?? []) receivedHash.update(chunk);
    assert.equal(receivedHash.digest('hex'), hash.digest('hex'));
    // The tag shows that Holdall sent the file: nginx would set its own tag.
    const [listed] = await client.propfind('/dav/large.bin', '0', named('getetag'));
    assert.ok(listed !== undefined);
    assert.equal(received.headers.get('etag'), textOfProperty(listed, 'getetag'));
  });

  test('that is rejected gets the status while it is being sent', async () => {
    const { outgoing, response } = startPut('/dav/refused.bin', 'Basic bm9ib2R5Om5vdGhpbmc=');
    outgoing.end(Buffer.alloc(20 * MB));
    const { statusCode, headers } = await response;
    assert.deepEqual([statusCode, headers['www-authenticate']?.slice(0, 5)], [401, 'Basic']);
  });

  function startPut(path: string, authorization: string) {
    const outgoing = request(new URL(path, nginx.url), {
      method: 'PUT',
      headers: { authorization, host: HOST, 'transfer-encoding': 'chunked' },
    });
    // The server may close the connection after it has rejected the request.
    outgoing.on('error', () => {});
    const response = once(outgoing, 'response').then(([answer]: IncomingMessage[]) => {
      assert.ok(answer !== undefined);
      return answer.resume();
    });
    return { outgoing, response };
  }

  async function largestStored(): Promise<number> {
    const sizes = (await listStoredFiles(holdall)).map((name) =>
      stat(name)
        .then(({ size }) => size)
        .catch(() => 0),
    );
    return Math.max(0, ...(await Promise.all(sizes)));
  }
});

test('the root announces WebDAV, and a directory is listed completely', inFull, async () => {
  const { headers } = await client.with({ authorization: '' }).expect(200, 'OPTIONS', '/');
  assert.equal(headers['ms-author-via'], 'DAV');
  await client.expect(201, 'MKCOL', '/dav/many/');
  const names = Array.from({ length: 60 }, (_, index) => `entry ${String(index).padStart(2, '0')}`);
  for (const name of names) await client.expect(201, 'MKCOL', `/dav/many/${encodeURIComponent(name)}/`);
  assert.deepEqual(await client.names('/dav/many/'), names);
  assert.deepEqual(await listBuffered(nginx), []);
});

test('Destination and If headers use the public address', async () => {
  await client.put('/dav/from.txt', 'moved');
  assert.equal((await client.move('/dav/from.txt', `https://${HOST}/dav/to%20%25.txt`)).status, 201);
  assert.equal((await client.copy('/dav/to%20%25.txt', '/dav/copy.txt')).status, 201);
  assert.equal(await client.get('/dav/copy.txt'), 'moved');
  for (const elsewhere of ['https://other.example.org/dav/x', `https://${HOST}/api/x`]) {
    assert.equal((await client.move('/dav/copy.txt', elsewhere)).status, 502, elsewhere);
  }
  const lock = await client.locked('/dav/copy.txt');
  const refused = await client.put('/dav/copy.txt', 'by another');
  assert.equal(refused.status, 423);
  assert.ok(hasCondition(refused, 'lock-token-submitted'));
  const tagged = `<https://${HOST}/dav/copy.txt> ${lock.if}`;
  assert.equal((await client.put('/dav/copy.txt', 'by the owner', { if: tagged })).status, 204);
  await client.expect(204, 'UNLOCK', '/dav/copy.txt', { headers: { 'lock-token': lock.token } });
  assert.equal((await client.put('/dav/copy.txt', 'by another')).status, 204);
});
