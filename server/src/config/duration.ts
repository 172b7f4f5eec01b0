const UNITS_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `500ms`, `15m`, `10d` to milliseconds; undefined for anything else, zero included. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text.trim());
  if (match === null) return undefined;
  const milliseconds = Number(match[1]) * UNITS_MS[match[2] as keyof typeof UNITS_MS];
  return milliseconds > 0 && Number.isSafeInteger(milliseconds) ? milliseconds : undefined;
}
