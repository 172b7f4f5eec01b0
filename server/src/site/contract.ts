import { Type } from 'typebox';
import { operation } from '../http/operation.ts';

export const showSite = operation('GET /', {
  does: 'Tells the name and version of the service, or shows its page to a browser.',
  access: 'public',
  appPassword: 'read',
  data: Type.Object({
    name: Type.Literal('Holdall'),
    version: Type.String(),
    status: Type.Literal('ok'),
  }),
  example: {},
});

export const pingSite = operation('GET /api/v2/site/ping', {
  does: 'Tells which version of the API the service has.',
  access: 'public',
  appPassword: 'read',
  data: Type.Object({ status: Type.Literal('ok'), apiVersion: Type.Literal('v2') }),
  example: {},
});

export const checkLive = operation('GET /health/live', {
  does: 'Answers while the program runs.',
  access: 'public',
  appPassword: 'read',
  example: {},
});

export const checkReady = operation('GET /health/ready', {
  does: 'Answers while the database and the object store work.',
  access: 'public',
  appPassword: 'read',
  example: {},
});
