import type { Migration } from '../migration.ts';
import { accounts } from './0001-schema/accounts.ts';
import { administration } from './0001-schema/administration.ts';
import { blobs } from './0001-schema/blobs.ts';
import { drive } from './0001-schema/drive.ts';
import { logins } from './0001-schema/logins.ts';
import { mail } from './0001-schema/mail.ts';
import { notifications } from './0001-schema/notifications.ts';
import { push } from './0001-schema/push.ts';
import { search } from './0001-schema/search.ts';
import { sharing, transfers } from './0001-schema/sharing.ts';
import { tasks } from './0001-schema/tasks.ts';
import { texts } from './0001-schema/texts.ts';
import { uploads } from './0001-schema/uploads.ts';
import { webdav } from './0001-schema/webdav.ts';

/**
 * The schema of the first release. `database/tables/` says what the columns mean; these files say why a rule
 * or an index exists.
 */
export const schema: Migration = {
  name: '0001-schema',
  statements: (columnTypes, engine) => [
    ...blobs(columnTypes),
    ...accounts(columnTypes),
    ...logins(columnTypes),
    ...mail(columnTypes),
    ...notifications(columnTypes),
    ...push(columnTypes),
    ...drive(columnTypes),
    ...search(engine),
    ...texts(columnTypes, engine),
    ...webdav(columnTypes),
    ...uploads(columnTypes),
    ...sharing(columnTypes),
    ...transfers(columnTypes),
    ...tasks(columnTypes),
    ...administration(columnTypes),
  ],
};
