import assert from 'node:assert/strict';
import type { MountedRoute } from '../../../src/http/access.ts';
import type { ExampleRequest, Operation } from '../../../src/http/operation.ts';
import type { CallOptions, Person } from '../app/person.ts';

/**
 * Operations that check a credential themselves, and their status for the example, whose credentials belong
 * to no one.
 */
const WRONG_CREDENTIALS: Readonly<Record<string, number>> = {
  'POST /api/auth/login': 401,
  'POST /api/auth/second-factor': 401,
  'POST /api/auth/passkey': 401,
  'POST /api/auth/refresh': 401,
  // The signature of the address is wrong.
  'GET /_dl/*': 403,
};

/**
 * Sends the example of an operation, whose ids do not exist. Routes that are no operations have no
 * parameters.
 */
export function sendExample(person: Person, route: MountedRoute): Promise<Response> {
  const { method, operation } = route;
  if (operation === undefined) return person.fetch(method, route.url);
  const { path, options } = toRequest(operation, operation.example);
  return person.fetch(method, path, method === 'HEAD' ? { headers: { ...options.headers } } : options);
}

/** The request for an operation with these values. */
export function toRequest({ name }: Operation, values: ExampleRequest) {
  const [method = '', address = ''] = name.split(' ');
  return { method, path: toPath(name, address, values), options: toOptions(values) };
}

/** Whether a caller with access gets this status for the example. */
export function isServed(route: MountedRoute, status: number): boolean {
  const refused = WRONG_CREDENTIALS[nameOf(route)];
  return refused === undefined ? status !== 401 && status !== 403 && status < 500 : status === refused;
}

/** The name of the operation. HEAD belongs to GET. */
export function nameOf({ method, url, operation }: MountedRoute): string {
  return operation?.name ?? `${method === 'HEAD' ? 'GET' : method} ${url}`;
}

function toPath(name: string, address: string, { path = {}, query = {} }: ExampleRequest): string {
  const pathname = address.replaceAll(/\{(\w+)\}|\*$/g, (_, parameter: string | undefined) => {
    const value = path[parameter ?? '*'];
    assert(value !== undefined, `The example of ${name} has no ${parameter ?? 'rest'}.`);
    return encodeURIComponent(value);
  });
  const parameters = new URLSearchParams();
  for (const [parameter, value] of Object.entries(query)) parameters.set(parameter, String(value));
  return parameters.size === 0 ? pathname : `${pathname}?${parameters}`;
}

function toOptions({ headers = {}, body, form, bytes }: ExampleRequest): CallOptions {
  if (form !== undefined) return { headers, body: toForm(form) };
  if (bytes === undefined) return { headers, body };
  return { headers: { 'content-type': 'application/octet-stream', ...headers }, body: bytes };
}

function toForm(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) {
    if (field === 'file') form.set(field, new Blob([value]), 'file.txt');
    else form.set(field, value);
  }
  return form;
}
