import { Badge } from '@mantine/core';
import classes from '../admin.module.css';

const COLOURS = { good: 'green', bad: 'red', doubtful: 'orange', busy: 'blue', plain: 'gray.6' } as const;

export type Tone = keyof typeof COLOURS;

/** A label for a state, with a coloured dot. The text is complete without the colour. */
export function Mark({ tone, text }: { tone: Tone; text: string }) {
  return (
    <Badge variant="dot" color={COLOURS[tone]} className={classes.mark}>
      {text}
    </Badge>
  );
}
