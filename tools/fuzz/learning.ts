// What a successful request teaches about the service: things to use later, and things that are used up.
import type { Draft } from './draft.ts';
import type { KnownValues } from './known-values.ts';
import type { Operation } from './operations.ts';
import type { RawResponse } from './raw-connection.ts';
import { parse } from './response-checks.ts';

export function learn(
  known: KnownValues,
  draft: Draft,
  operation: Operation | undefined,
  response: RawResponse,
): void {
  const { role } = draft;
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  const answer = isJson ? parse(response.body) : undefined;
  // The document itself describes thousands of things that are not there.
  if (operation?.responses !== undefined) known.addAll(role, answer);
  const [, sessionId] = /\/tus\/([\w-]+)$/.exec(response.headers.get('location') ?? '') ?? [];
  if (sessionId !== undefined) known.add('tus', role, { sessionId });
  for (const note of NOTES[operation?.name ?? ''] ?? []) note(known, draft);
}

type Note = (known: KnownValues, draft: Draft) => void;

const NOTES: Readonly<Record<string, readonly Note[]>> = {
  'POST /api/auth/register': [
    (known, { role, body }) => {
      if (body?.kind !== 'json' || typeof body.value !== 'object' || body.value === null) return;
      known.add('registered', role, { ...body.value });
    },
  ],
  'PUT /api/files/upload/content': [
    (known, { role, query }) => {
      const storageName = query.find(([name]) => name === 'storageName')?.[1];
      if (storageName !== undefined) known.add('filled', role, { storageName });
    },
  ],
  'POST /api/v2/files/upload-sessions/{sessionId}/content': [
    (known, { role, path: { sessionId } }) => known.add('filled session', role, { sessionId }),
  ],
};
