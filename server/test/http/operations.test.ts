// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Value } from 'typebox/value';
import type { Description } from '../../src/http/operation.ts';
import { startHoldall } from '../support/app/holdall.ts';

const { app } = await startHoldall({ env: { HOLDALL_DEV_LOGIN: 'true' } });
// GET routes are also mounted for HEAD.
const operations = [
  ...new Set(app.server.listMountedRoutes().flatMap(({ operation }) => (operation ? [operation] : []))),
];

test('the example request of every operation passes its schemas', () => {
  assert.ok(operations.length >= 75, `only ${operations.length} operations`);
  assert.deepEqual(operations.flatMap(findExampleFaults), []);
});

test('the address of every operation has the parameters of its path schema', () => {
  for (const { name, path } of operations) {
    const inAddress = [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
    assert.deepEqual(inAddress.sort(), Object.keys(path?.properties ?? {}).sort(), name);
  }
});

test('every operation says in one sentence what it does', () => {
  for (const { name, does } of operations) assert.match(does, /^[A-Z](?:[^.!?]|\.(?=\S))+\.$/, name);
});

test('no two operations have the same name or the same summary in the description of the API', () => {
  for (const member of ['name', 'does'] as const) {
    const compared = operations.filter(({ isHidden }) => member === 'name' || isHidden !== true);
    const repeated = [...Map.groupBy(compared, (operation) => operation[member])]
      .filter(([, same]) => same.length > 1)
      .map(([text]) => text);
    assert.deepEqual(repeated, []);
  }
});

/** Finds the parts of the example that the schemas reject, or that have no schema. */
function findExampleFaults({ name, example, ...described }: (typeof operations)[number]): string[] {
  const parts = ['path', 'query', 'headers', 'body'] as const satisfies (keyof Description)[];
  return parts.flatMap((part) => {
    const schema = described[part];
    const sent = example[part];
    if (schema === undefined)
      return sent === undefined || isUnchecked(part, described) || isRest(part, name)
        ? []
        : `${name}: ${part}`;
    const faults = Value.Errors(schema, sent ?? (part === 'body' ? null : {}));
    return faults.map(({ instancePath, message }) => `${name}: ${part}${instancePath} ${message}`);
  });
}

/** Whether it is the rest of an address, `*`, which has no schema. */
function isRest(part: string, name: string): boolean {
  return part === 'path' && name.endsWith('/*');
}

/** Operations read forms and the bytes of files themselves, and any request may have any header. */
function isUnchecked(part: string, { form, takesBytes }: Pick<Description, 'form' | 'takesBytes'>): boolean {
  return part === 'headers' || (part === 'body' && (form !== undefined || takesBytes === true));
}
