// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastify from 'fastify';
import { Type } from 'typebox';
import { enveloped, success } from './envelope.ts';
import { useSerializers } from './serializers.ts';

const Item = Type.Object({ id: Type.Integer(), path: Type.String() });
const Page = Type.Object({ items: Type.Array(Item), total: Type.Integer() });

const itemsOf = (count: number, length: number) =>
  Array.from({ length: count }, (_, id) => ({ id, path: `"items":[]${'ü'.repeat(length)}`, secret: 'x' }));
const publicOf = (items: readonly { id: number; path: string }[]) =>
  items.map(({ id, path }) => ({ id, path }));

async function answer(schema: Parameters<typeof enveloped>[0], data: unknown) {
  const server = fastify();
  useSerializers(server);
  server.get('/', { schema: { response: enveloped(schema) } }, async () => success(data) as never);
  const { headers, body } = await server.inject('/');
  await server.close();
  return { headers, body: JSON.parse(body) };
}

test('a long list is streamed with only the members of its schema', async () => {
  const items = itemsOf(1_000, 1_000);
  const page = await answer(Page, { items, total: 5, hidden: true });
  assert.deepEqual(page.body, success({ items: publicOf(items), total: 5 }));
  assert.equal(page.headers['content-length'], undefined);
  const list = await answer(Type.Array(Item), items);
  assert.deepEqual(list.body, success(publicOf(items)));
});

test('a short answer has a length', async () => {
  for (const items of [itemsOf(3, 10), itemsOf(150, 10)]) {
    const { headers, body } = await answer(Page, { items, total: 5 });
    assert.deepEqual(body, success({ items: publicOf(items), total: 5 }));
    assert.ok(Number(headers['content-length']) > 0);
  }
});
