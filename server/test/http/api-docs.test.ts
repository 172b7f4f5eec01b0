// runs on: sqlite
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import { type Documented, readApiDocument } from '../support/http/api-document.ts';
import { listApiRoutes } from '../support/http/api-routes.ts';

// docs/api.md is for people; what it says of addresses and members is held against the schemas.
const documented = readApiDocument(
  readFileSync(path.join(import.meta.dirname, '..', '..', '..', 'docs', 'api.md'), 'utf8'),
);
const { app, anonymous } = await startHoldall({ env: { HOLDALL_DEV_LOGIN: 'true' } });
const mounted = listApiRoutes(app.server).map(({ method, url }) => ({
  method,
  url: url.replaceAll(/:(\w+)/g, '{$1}'),
}));
const description: Description = JSON.parse(await (await anonymous.fetch('GET', '/api/openapi.json')).text());

test('every call is in the document', () => {
  const known = new Set(documented.map(nameOf));
  const missing = mounted.filter(({ method }) => method !== 'HEAD').map(nameOf);
  assert.deepEqual(
    missing.filter((call) => !known.has(call)),
    [],
  );
});

test('every call in the document is there', () => {
  assert.ok(documented.length > 80, `only ${documented.length} calls were read`);
  const there = new Set(mounted.map(nameOf));
  assert.deepEqual(
    documented.map(nameOf).filter((call) => !there.has(call)),
    [],
  );
});

test('what a call takes is what its schema says, in both directions', () => {
  const faults: string[] = [];
  let members = 0;
  for (const call of documented) {
    const operation = description.paths[call.url]?.[call.method.toLowerCase()];
    // Not in the description: what speaks another protocol (tus), and what is no part of the API.
    if (operation === undefined) continue;
    const text = JSON.stringify(operation);
    for (const word of call.takes) {
      members += 1;
      if (!text.includes(`"${word}"`)) faults.push(`${nameOf(call)} takes no ${word}`);
    }
    for (const name of membersOf(operation)) {
      if (!call.sectionWords.has(name)) faults.push(`the ${name} of ${nameOf(call)} is not documented`);
    }
  }
  assert.deepEqual(faults, []);
  assert.ok(members > 100, `only ${members} members were read`);
});

interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Shape }>>;
  };
}

interface Shape {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly anyOf?: readonly Shape[];
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** What stands in the query or the body. */
function membersOf({ parameters = [], requestBody }: Operation): readonly string[] {
  const schemas = Object.values(requestBody?.content ?? {}).map(({ schema }) => schema);
  return [
    ...parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
    ...schemas
      .flatMap(({ anyOf, ...schema }) => anyOf ?? [schema])
      .flatMap((shape) => Object.keys(shape.properties ?? {})),
  ];
}

function nameOf({ method, url }: Pick<Documented, 'method' | 'url'>): string {
  return `${method} ${url}`;
}
