import { access, constants } from 'node:fs/promises';
import path from 'node:path';

/** Finds the path of a program. @param paths the value of `PATH` */
export async function findProgram(name: string, paths: string | undefined): Promise<string | undefined> {
  const places = (paths ?? '').split(path.delimiter).filter((place) => path.isAbsolute(place));
  for (const place of places) {
    const file = path.join(place, name);
    if (await isExecutable(file)) return file;
  }
  return undefined;
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
