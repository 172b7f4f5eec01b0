// Starts a process for a file that takes for ever, and writes its id.
import { makeUnrulyChildren, processFile } from './unruly-children.ts';

const children = makeUnrulyChildren();
await processFile(children, 'start');
const processing = processFile(children, 'wait');
process.stdout.write(`${children.processIds[0]}\n`);
await processing;
