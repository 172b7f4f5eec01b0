import { type Static, Type } from 'typebox';
import { Nullable } from '../../http/fields.ts';
import { operation } from '../../http/operation.ts';
import { MAX_ENDPOINT_LENGTH } from './push-endpoint.ts';
import { MAX_SUBSCRIPTIONS } from './queries.ts';

const Endpoint = Type.String({
  maxLength: MAX_ENDPOINT_LENGTH,
  description: 'the `https` address at the push service of the browser',
});

/** What a browser's `PushSubscription` contains. */
export const PushSubscriptionBody = Type.Object({
  endpoint: Endpoint,
  keys: Type.Object({
    p256dh: Type.String({ maxLength: 128, description: 'the public key, in base64url' }),
    auth: Type.String({ maxLength: 64, description: 'the shared secret, in base64url' }),
  }),
});
export type PushSubscriptionBody = Static<typeof PushSubscriptionBody>;

export const PushState = Type.Object({
  /** The key with which a browser subscribes. Null if this server sends no push messages. */
  publicKey: Nullable(Type.String()),
  /** How many browsers of the account get push messages. */
  subscriptions: Type.Integer({ minimum: 0, maximum: MAX_SUBSCRIPTIONS }),
  /** Whether the login session of the request is one of them. */
  current: Type.Boolean(),
});
export type PushState = Static<typeof PushState>;

// A push message goes to the browser of a login session, so all operations need one.

export const getPush = operation('GET /api/user/push', {
  does: 'Returns the key for push subscriptions, and how many browsers of the caller have one.',
  access: 'login',
  appPassword: 'never',
  data: PushState,
  example: {},
});

export const subscribeToPush = operation('PUT /api/user/push', {
  does: 'Sends notifications of the caller to the browser of this login session, also while it is closed.',
  access: 'login',
  appPassword: 'never',
  body: PushSubscriptionBody,
  example: {
    body: {
      endpoint: 'https://push.example.org/send/example',
      keys: {
        p256dh: 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
        auth: 'AAAAAAAAAAAAAAAAAAAAAA',
      },
    },
  },
});

export const unsubscribeFromPush = operation('DELETE /api/user/push', {
  does: 'Ends the push messages to a browser of the caller.',
  access: 'login',
  appPassword: 'never',
  body: Type.Object({ endpoint: Endpoint }),
  example: { body: { endpoint: 'https://push.example.org/send/example' } },
});
