import { type DriveCommand, UsageError } from '../drive-command.ts';
import { DrivePaths } from '../drive-paths.ts';
import { toJsonLine } from '../terminal/escape.ts';

export const watch: DriveCommand = {
  name: 'watch',
  takes: '[PATH]',
  does: 'print changes in the drive, one JSON object per line, until stopped',
  options: {
    cursor: { type: 'string', value: 'N', does: 'start after this event id' },
  },
  async run(args, values, context) {
    if (args.length > 1) throw new UsageError('Give one path.');
    const { signal, terminal } = context;
    const { holdall, path } = await DrivePaths.findOne(context, args[0] ?? '/');
    for await (const event of holdall.events.watch({ path, cursor: values.count('cursor', 0), signal })) {
      terminal.print(toJsonLine(event));
    }
  },
};
