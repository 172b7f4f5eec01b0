import type { Command } from '../command.ts';
import { readArguments } from '../read-arguments.ts';

export const serve: Command = {
  name: 'serve',
  takes: '',
  does: 'runs the service until a signal ends it, as "npm start" does',
  run: async (args) => {
    readArguments(args, {});
    const { run } = await import('../../app/run.ts');
    await run();
  },
};
