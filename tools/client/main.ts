// npm run client           writes the generated files of the client library and its reference, and compiles it
// npm run build            in the folder `client`: only compiles it
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildClient } from './build-client.ts';
import { generateFiles } from './generated-files.ts';
import { REFERENCE, writeReference } from './reference.ts';

const root = path.dirname(path.dirname(import.meta.dirname));
const write = (file: string, text: string) => writeFileSync(path.join(root, file), text);

if (process.argv[2] === 'build') buildClient();
else {
  for (const [file, text] of await generateFiles()) write(file, text);
  write(REFERENCE, writeReference());
}
