import { type FileName, MAX_NAME_BYTES, shortenName } from './file-name.ts';

/** Two extensions belong together, as in "backup.tar.gz". */
const EXTENSION = /(?:\.tar)?\.[^. ]{1,12}$/;
const NUMBERED = /^(.+) \((\d{1,6})\)$/;

/** A name, split so that it can get another number: "letter (2).pdf". */
interface NumberedName {
  readonly stem: string;
  /** 1 for a name without a number. */
  readonly number: number;
  /** With its dot; empty if there is none. */
  readonly extension: string;
}

export function parseNumberedName(name: FileName): NumberedName {
  // A name that begins with its only dot has no extension.
  const extension = EXTENSION.exec(name.slice(1))?.[0] ?? '';
  const rest = name.slice(0, name.length - extension.length);
  const [, stem, digits] = NUMBERED.exec(rest) ?? [];
  if (stem === undefined) return { stem: rest, number: 1, extension };
  return { stem, number: Math.max(1, Number(digits)), extension };
}

/** The name with another number. The stem is shortened if the name would be longer than names can be. */
export function withNumber({ stem, extension }: NumberedName, number: number): FileName {
  const ending = ` (${number})${extension}`;
  const room = MAX_NAME_BYTES - Buffer.byteLength(ending);
  return `${shortenName(stem, room)}${ending}` as FileName;
}
