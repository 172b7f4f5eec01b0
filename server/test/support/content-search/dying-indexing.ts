// A service that takes texts, and never ends with the first one. It writes the name of the file.
import { createApp } from '../../../src/app/app.ts';
import { readConfig } from '../../../src/config/config.ts';
import { AT_REST } from './at-rest.ts';
import { PlainTexts } from './plain-texts.ts';

const extraction = new PlainTexts();
extraction.before = (name) => {
  process.stdout.write(`${name}\n`);
  return new Promise(() => {});
};
const app = await createApp(readConfig({ ...process.env, HOLDALL_LOG_LEVEL: 'fatal' }), {
  extraction,
  pressure: AT_REST,
  isMaintained: false,
});
app.indexingJob.trigger();
