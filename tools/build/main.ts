// npm run build            builds the server and the web client, as `npm start` does first
import { buildServer } from './build-server.ts';
import { buildWeb } from './build-web.ts';

try {
  buildServer();
  buildWeb();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
