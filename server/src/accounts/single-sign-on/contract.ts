import { type Static, Type } from 'typebox';
import { Id, KeyText } from '../../http/fields.ts';

/** What providers send. Some add members of their own. */
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
  url: Type.String({ description: 'where the browser has to go; it comes back to `/profile`' }),
});
export type LinkStart = Static<typeof LinkStart>;

export const IdentityParams = Type.Object({ id: Id });
