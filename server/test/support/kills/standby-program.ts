// The service as a program that loads its modules immediately, and starts when a line arrives on standard
// input. A test that kills the service often can load the next one while the current one still runs.
import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// The service does the same. It halves the loading time.
enableCompileCache(fileURLToPath(new URL('../../../../.cache/compile', import.meta.url)));
const { run } = await import('../../../src/app/run.ts');
// Writes the cache now. Node writes it when the process exits, but this process is killed.
flushCompileCache();

process.stdin.once('data', () => void run());
// The test has ended.
process.stdin.once('end', () => process.exit(0));
