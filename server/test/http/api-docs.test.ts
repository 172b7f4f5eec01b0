// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import { type Documented, readApiDocument } from '../support/http/api-document.ts';
import { listApiRoutes } from '../support/http/api-routes.ts';

// docs/api.md is written by hand. These tests compare the URLs and members in it with the mounted routes and
// their schemas.
const documented = readApiDocument(
  readFileSync(path.join(import.meta.dirname, '..', '..', '..', 'docs', 'api.md'), 'utf8'),
);
const { app, anonymous } = await startHoldall({ env: { HOLDALL_DEV_LOGIN: 'true' } });
const mounted = listApiRoutes(app.server).map(({ method, url }) => ({
  method,
  url: url.replaceAll(/:(\w+)/g, '{$1}'),
}));
const description: Description = JSON.parse(await (await anonymous.fetch('GET', '/api/openapi.json')).text());

test('every mounted route is documented', () => {
  const known = new Set(documented.map(nameOf));
  const missing = mounted.filter(({ method }) => method !== 'HEAD').map(nameOf);
  assert.deepEqual(
    missing.filter((call) => !known.has(call)),
    [],
  );
});

test('every documented call is mounted', () => {
  assert.ok(documented.length > 80, `only ${documented.length} calls were read`);
  const mountedNames = new Set(mounted.map(nameOf));
  assert.deepEqual(
    documented.map(nameOf).filter((call) => !mountedNames.has(call)),
    [],
  );
});

test('the documented members of a call are those of its schema, and the reverse', () => {
  const faults: string[] = [];
  let members = 0;
  for (const call of documented) {
    const operation = description.paths[call.url]?.[call.method.toLowerCase()];
    // OpenAPI contains neither tus, which is another protocol, nor routes outside of the API.
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

test('the page of the API and its files are served under a policy that lets them load each other', async () => {
  const page = await anonymous.fetch('GET', '/api/docs');
  assert.equal(page.status, 200);
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
  assert.match(page.headers.get('content-security-policy') ?? '', /script-src 'self'; style-src 'self'/);
  const html = await page.text();
  const files = [...html.matchAll(/(?:src|href)="\.?(?:\/api)?\/?(?:docs\/)?(static\/[^"]+)"/g)].map(
    ([, file]) => file,
  );
  assert.ok(files.length >= 3, html);
  for (const file of files) {
    const answer = await anonymous.fetch('GET', `/api/docs/${file}`);
    assert.equal(answer.status, 200, file);
    assert.ok((await answer.bytes()).length > 0, file);
  }
});

test('an unknown address below the page of the API is 404 with an envelope', async () => {
  for (const url of [
    '/api/docs/nothing',
    '/api/docs/static/nothing',
    '/api/docs/static/%2e%2e/package.json',
  ]) {
    const answer = await anonymous.fetch('GET', url);
    assert.equal(answer.status, 404, url);
    assert.deepEqual(Object.keys(JSON.parse(await answer.text())), ['code', 'msg', 'data'], url);
  }
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

/** Returns the members of the query and the body. */
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
