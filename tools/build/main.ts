// npm run build            builds the server and the web client, as `npm start` does first
import { buildServer } from './build-server.ts';
import { buildWeb } from './build-web.ts';

try {
  buildServer(() => say('Building the server …'));
  buildWeb(() => say('Building the web client, which takes a minute or two …'));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}

function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`);
}
