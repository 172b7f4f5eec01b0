/** The place of a line of the source in its rendered form. */
export interface LineMark {
  readonly line: number;
  /** In pixels from the beginning. */
  readonly top: number;
}

/**
 * The place of a line, between the marks around it.
 * @param marks in the order of their lines
 */
export function topOfLine(marks: readonly LineMark[], line: number, end: LineMark): number {
  const at = marks.findLastIndex((mark) => mark.line <= line);
  const before = marks[at] ?? { line: 1, top: 0 };
  const after = marks[at + 1] ?? end;
  if (after.line <= before.line) return before.top;
  return before.top + ((after.top - before.top) * (line - before.line)) / (after.line - before.line);
}
