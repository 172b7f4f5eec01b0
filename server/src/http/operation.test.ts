// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FastifyBaseLogger, fastify } from 'fastify';
import { pino } from 'pino';
import { Type } from 'typebox';
import { success } from './envelope.ts';
import { mount, operation } from './operation.ts';

const shared = { does: 'Answers.', access: 'public', appPassword: 'read', example: {} } as const;

test('an operation that has sent its own reply is not answered a second time', async () => {
  const lines: string[] = [];
  const loggerInstance: FastifyBaseLogger = pino({ level: 'warn' }, { write: (line) => lines.push(line) });
  const server = fastify({ loggerInstance });
  const responses = { 200: Type.String() };
  const described = operation('GET /bytes', { ...shared, responses });
  mount(server, described, async (_request, reply) => reply.send('bytes'));
  assert.equal((await server.inject('/bytes')).payload, 'bytes');
  await server.close();
  assert.deepEqual(lines, []);
});

test('an operation without data answers with null in an envelope', async () => {
  const server = fastify();
  mount(server, operation('GET /nothing', shared), async () => {});
  assert.deepEqual((await server.inject('/nothing')).json(), success(null));
  await server.close();
});
