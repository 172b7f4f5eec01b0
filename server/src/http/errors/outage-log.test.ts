// tier: default
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fastify from 'fastify';
import { pino } from 'pino';
import { waitUntil } from '../../../../tools/testing/wait-until.ts';
import { Failure } from '../../base/failure.ts';
import { OutageLog } from './outage-log.ts';

test('an outage is logged once with its stack, then as a number of requests for each cause', async () => {
  const lines: { msg: string; err?: { stack: string }; requests?: number }[] = [];
  const server = fastify({
    loggerInstance: pino({ level: 'warn' }, { write: (line) => lines.push(JSON.parse(line)) }),
  });
  after(() => server.close());
  const outageLog = new OutageLog(20);
  const failWith = (message: string, code: string, port: number) => {
    const cause = Object.assign(new Error(`connect ${code} 10.0.0.5:${port}`), { code });
    outageLog.warn(server.log, 'a request', new Failure('unavailable', message, { cause }));
  };
  for (let request = 0; request < 500; request += 1)
    failWith('The database cannot be reached.', 'ECONNREFUSED', request);
  failWith('The object store cannot be reached.', 'ECONNREFUSED', 1);
  assert.deepEqual(
    lines.map(({ msg, err, requests }) => [msg, err !== undefined, requests]),
    [
      ['The database cannot be reached.', true, undefined],
      ['The object store cannot be reached.', true, undefined],
    ],
  );
  await waitUntil('the repetitions are counted', () => lines.length === 3);
  assert.deepEqual([lines[2]?.requests, lines[2]?.err], [499, undefined]);
});

test('repetitions are counted for a limited number of causes', () => {
  const lines: string[] = [];
  const server = fastify({ loggerInstance: pino({ level: 'warn' }, { write: (line) => lines.push(line) }) });
  after(() => server.close());
  const outageLog = new OutageLog();
  for (let cause = 0; cause < 150; cause += 1) {
    outageLog.warn(server.log, 'a request', new Failure('unavailable', `Cause ${cause}.`));
  }
  outageLog.warn(server.log, 'a request', new Failure('unavailable', 'Cause 0.'));
  assert.equal(lines.length, 150);
});
