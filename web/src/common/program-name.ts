/** A program and its operating system, as far as its `User-Agent` header says. */
interface ProgramName {
  readonly program: string;
  readonly system?: string;
}

/** From the most specific to the most general, because every browser also claims to be others. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bWindows\b/, 'Windows'],
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Undefined if the text names no program. */
export function findProgramName(userAgent: string | null): ProgramName | undefined {
  const text = userAgent ?? '';
  const find = (names: typeof BROWSERS) => names.find(([pattern]) => pattern.test(text))?.[1];
  const program = find(BROWSERS) ?? /^[\w.-]+(?=\/|$)/.exec(text)?.[0];
  if (program === undefined) return undefined;
  const system = find(SYSTEMS);
  return system === undefined ? { program } : { program, system };
}
