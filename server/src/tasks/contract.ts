import { type Static, Type } from 'typebox';
import type { JsonObject } from '../base/text/json.ts';
import { Id, Nullable, pageQuery, Timestamp } from '../http/fields.ts';

export const CorrelationId = Type.Optional(
  Nullable(
    Type.String({
      maxLength: 128,
      pattern: '^[^\\u0000-\\u001f\\u007f]*$',
      description: 'a second task of the same one is the first',
    }),
  ),
);

export const CreateBody = Type.Object({
  fileId: Id,
  path: Type.String({ description: 'where the file lies: it must be there' }),
  correlationId: CorrelationId,
});

export const TaskParams = Type.Object({ id: Id });

export const ListQuery = Type.Object(pageQuery);

const PublicState = Type.Unsafe<JsonObject>(
  Type.Object({}, { additionalProperties: true, description: 'what the type and the status have to say' }),
);

/** Specification, "Background task". */
export const TaskRecord = Type.Object({
  id: Id,
  userId: Id,
  type: Type.String(),
  status: Type.String(),
  correlationId: Nullable(Type.String()),
  errorMessage: Nullable(Type.String()),
  failureCategory: Nullable(Type.String()),
  publicStateJson: PublicState,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  finishedAt: Nullable(Timestamp),
});
export type TaskRecord = Static<typeof TaskRecord>;
