import { readFileSync, statSync } from 'node:fs';

type Values = Readonly<Record<string, string | undefined>>;

const SUFFIX = '_FILE';
const MAX_BYTES = 65_536;

/**
 * Replaces each `HOLDALL_X_FILE` with `HOLDALL_X` and the content of that file. Containers and systemd pass
 * secrets this way. One line end after the value is ignored.
 */
export function readSettingFiles(values: Values): { readonly values: Values; readonly faults: string[] } {
  const faults: string[] = [];
  const read: Record<string, string | undefined> = { ...values };
  for (const [name, file] of Object.entries(values)) {
    if (!name.startsWith('HOLDALL_') || !name.endsWith(SUFFIX) || file === undefined || file === '') continue;
    const setting = name.slice(0, -SUFFIX.length);
    delete read[name];
    if ((values[setting] ?? '') !== '') {
      faults.push(`${setting} and ${name} must not both be set.`);
      continue;
    }
    try {
      if (statSync(file).size > MAX_BYTES) faults.push(`${name} must name a file of at most 64 KiB.`);
      else read[setting] = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
      faults.push(`${name} must name a file that can be read: ${file} cannot${code}.`);
    }
  }
  return { values: read, faults };
}
