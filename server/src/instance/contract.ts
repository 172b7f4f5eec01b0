import { type Static, Type } from 'typebox';
import { KeyText, Nullable } from '../http/fields.ts';
import { operation } from '../http/operation.ts';
import { thumbnailResponses } from '../thumbnails/contract.ts';

/** How the instance presents itself to everyone. */
export const Instance = Type.Object({
  name: Type.String({ description: '`Holdall` until an administrator names it' }),
  greeting: Nullable(Type.String({ description: 'plain text of a few lines' })),
  logoUrl: Nullable(
    Type.String({ description: 'changes with the logo, so what is there may be cached for ever' }),
  ),
});
export type Instance = Static<typeof Instance>;

export const getInstance = operation('GET /api/v2/site/instance', {
  does: 'Tells the name, the greeting and the logo of this instance.',
  access: 'public',
  appPassword: 'read',
  data: Instance,
  responses: { 304: Type.Null({ description: 'the copy of the client is current' }) },
  example: {},
});

export const getLogo = operation('GET /api/v2/site/instance/logo', {
  does: 'Downloads the logo of this instance.',
  access: 'public',
  appPassword: 'read',
  query: Type.Object({ v: Type.Optional(KeyText) }),
  responses: thumbnailResponses,
  example: {},
});
