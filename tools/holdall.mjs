#!/usr/bin/env node
// The command `holdall`: starts the command line on a Node.js that is new enough. It runs the output of
// `npm run build`, which starts faster, or the sources if there is none.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const built = fileURLToPath(new URL('../server/dist/cli/main.js', import.meta.url));
const source = fileURLToPath(new URL('../cli/src/main.mjs', import.meta.url));
process.argv.splice(2, 0, existsSync(built) ? built : source);
await import('./node.mjs');
