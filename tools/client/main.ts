// npm run client           writes the generated files of the client library, and compiles it
// npm run build            in the folder `client`: compiles it and writes its reference
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildClient } from './build-client.ts';
import { generateFiles } from './generated-files.ts';
import { writeReference } from './reference.ts';

const root = path.dirname(path.dirname(import.meta.dirname));

if (process.argv[2] === 'build') writeReference();
else {
  for (const [file, text] of await generateFiles()) writeFileSync(path.join(root, file), text);
  buildClient();
}
