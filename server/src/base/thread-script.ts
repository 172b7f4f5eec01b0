/**
 * The URL of the script of a thread or child process. Its file is named `<name>.ts`, ends in `-thread.ts` or
 * `-process.ts`, and is in the folder of the module that starts it. In `server/dist` it is `<name>.js`,
 * beside all other modules.
 *
 * @param from `import.meta.url` of the module that starts it
 */
export function threadScript(name: `${string}-thread` | `${string}-process`, from: string): URL {
  return new URL(`./${name}${from.endsWith('.ts') ? '.ts' : '.js'}`, from);
}
