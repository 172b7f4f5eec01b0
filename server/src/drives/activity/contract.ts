import { type Static, Type } from 'typebox';
import { EXAMPLE } from '../../http/examples.ts';
import { Id, Nullable, PageOf, pageQuery, Timestamp } from '../../http/fields.ts';
import { operation } from '../../http/operation.ts';

/** Equal changes that one person made within a minute in one directory. */
export const ActivityRecord = Type.Object({
  id: Id,
  at: Type.String({ ...Timestamp, description: 'when the newest change was made' }),
  accountId: Nullable(Type.Integer({ description: 'null for a visitor' })),
  displayName: Nullable(Type.String({ description: 'the name at that time; of a visitor, the given name' })),
  eventType: Type.String(),
  fileId: Nullable(Type.Integer({ description: 'of the newest change' })),
  path: Nullable(Type.String({ description: 'of the newest change' })),
  fromPath: Nullable(Type.String({ description: 'where the entry was before' })),
  count: Type.Integer({ description: 'the number of changes' }),
});
export type ActivityRecord = Static<typeof ActivityRecord>;

export const listActivity = operation('GET /api/v2/drives/{id}/activity', {
  does: 'Lists who changed what in a shared drive, the newest change first.',
  access: 'login',
  appPassword: 'read',
  path: Type.Object({ id: Id }),
  query: Type.Object(pageQuery),
  data: PageOf(ActivityRecord),
  example: { path: { id: EXAMPLE.drive }, query: { size: 20 } },
});
