#!/usr/bin/env node
// The command `holdall`: starts the service's command line on a Node.js that is new enough. What
// `npm run build` built starts faster; without it, the sources run.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const built = fileURLToPath(new URL('../server/dist/cli/main.js', import.meta.url));
const source = fileURLToPath(new URL('../cli/src/main.mjs', import.meta.url));
process.argv.splice(2, 0, existsSync(built) ? built : source);
await import('./node.mjs');
