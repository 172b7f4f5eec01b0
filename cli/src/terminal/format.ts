/** A time in the user's time zone, such as `2026-11-22 14:03`. */
export function formatTime(timestamp: string): string {
  const time = new Date(timestamp);
  const pad = (value: number) => String(value).padStart(2, '0');
  const date = `${time.getFullYear()}-${pad(time.getMonth() + 1)}-${pad(time.getDate())}`;
  return `${date} ${pad(time.getHours())}:${pad(time.getMinutes())}`;
}

/** A name without characters that could control the terminal. */
export function printable(name: string): string {
  return name.replaceAll(/\p{Cc}|\p{Bidi_Control}/gu, '\ufffd');
}

/** Formats rows as lines with aligned columns. The given columns are aligned to the right. */
export function toTable(rows: readonly (readonly string[])[], rightColumns: readonly number[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => {
        if (column === row.length - 1 && !rightColumns.includes(column)) return cell;
        const width = widths[column] ?? 0;
        return rightColumns.includes(column) ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  '),
  );
}
