#!/usr/bin/env node
// The command `holdall`: starts the service's command line on a Node.js that is new enough.
import { fileURLToPath } from 'node:url';

process.argv.splice(2, 0, fileURLToPath(new URL('../server/src/cli/main.mjs', import.meta.url)));
await import('./node.mjs');
