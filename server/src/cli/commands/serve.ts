import type { Command } from '../command.ts';
import { readWords } from '../words.ts';

export const serve: Command = {
  name: 'serve',
  takes: '',
  does: 'runs the service until a signal ends it, as "npm start" does',
  run: async (words) => {
    readWords(words, {});
    const { run } = await import('../../app/run.ts');
    await run();
  },
};
