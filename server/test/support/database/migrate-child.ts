// A process that migrates a database and exits: `migrate-child.ts <directory> [<URL of PostgreSQL>]`.
import { Database } from '../../../src/database/database.ts';
import { migrate } from '../../../src/database/migrator.ts';
import { openEngine } from './open-database.ts';

const [, , directory = '', url] = process.argv;
const database = new Database(openEngine(url, directory));
await migrate(database);
await database.close();
process.stdout.write('migrated');
