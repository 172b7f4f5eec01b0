import { type Static, Type } from 'typebox';
import { Id, KeyText } from '../../http/fields.ts';

/** A parameter that the provider adds to the URL of the callback. */
const AnswerText = Type.String({ maxLength: 4_096 });

export const StartQuery = Type.Object({
  next: Type.Optional(
    Type.String({ maxLength: 4_096, description: 'a path of the service to go to after the login' }),
  ),
});

export const CallbackQuery = Type.Object({
  code: Type.Optional(AnswerText),
  state: Type.Optional(AnswerText),
  iss: Type.Optional(AnswerText),
  error: Type.Optional(AnswerText),
  error_description: Type.Optional(AnswerText),
});

export const TicketBody = Type.Object({ ticket: KeyText });

export const LinkStart = Type.Object({
  url: Type.String({ description: 'where to send the browser; it is redirected to `/profile` at the end' }),
});
export type LinkStart = Static<typeof LinkStart>;

export const IdentityParams = Type.Object({ id: Id });
