// The service as a program that loads its modules at once, and starts when a line arrives on standard input.
// A test that kills the service very often has the next one loaded while the present one still runs.
import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// As the service does: it saves half of the time.
enableCompileCache(fileURLToPath(new URL('../../../../.cache/compile', import.meta.url)));
const { run } = await import('../../../src/app/run.ts');
// Otherwise it would be written at the end of the process, which never comes.
flushCompileCache();

process.stdin.once('data', () => void run());
// The test has ended.
process.stdin.once('end', () => process.exit(0));
