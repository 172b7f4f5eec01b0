import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);

/** Whether the module, or one that it imports, imports the other. Paths are relative to the root, with `/`. */
export function uses(file: string, other: string, seen = new Set<string>()): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  return importsOf(file).some((imported) => imported === other || uses(imported, other, seen));
}

function importsOf(file: string): readonly string[] {
  const place = path.join(root, file);
  if (!file.endsWith('.ts') || !existsSync(place)) return [];
  const found = readFileSync(place, 'utf8').matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.{1,2}\/[^']+)'/g);
  return [...found].map(([, specifier = '']) => path.posix.join(path.posix.dirname(file), specifier));
}
