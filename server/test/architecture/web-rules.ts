import path from 'node:path';
import { findCycles } from './cycles.ts';
import { lineAt, type SourceModule } from './source-module.ts';

const SERVER_CONTRACT = 'server/src/app/contract.ts';

/** The only file that imports from the server. All other files take the types from it. */
const CONTRACT = 'web/src/api/contract.ts';

/** What every part of the client stands on, lowest first; a part may use what stands before it. */
const GROUND = ['api', 'messages', 'common'] as const;

/** The frame and what puts everything together: parts do not know of them. */
const ABOVE = /^web\/src\/(?:main\.tsx|router\.tsx)$/;

/** The only files that ask the service, so that a login, an error and a new token are seen to in one place. */
const ASKS = /^web\/src\/(?:api|live|uploads|transfer)\//;

/** What is wrong with the source of the web client, in sentences. Paths are relative to the root. */
export function findWebFaults(modules: readonly SourceModule[]): string[] {
  const known = new Set(modules.map((module) => module.path));
  const graph = new Map<string, string[]>();
  const faults: string[] = [];
  for (const module of modules) {
    const uses: string[] = [];
    for (const { specifier, line, isType } of module.imports) {
      if (specifier === undefined || !specifier.startsWith('.')) continue;
      const target = path.posix.join(path.posix.dirname(module.path), specifier);
      if (known.has(target) && !isType) uses.push(target);
      const fault = findImportFault(module.path, target, isType);
      if (fault !== undefined) faults.push(`${module.path}:${line} imports "${specifier}": ${fault}.`);
    }
    graph.set(module.path, uses);
    faults.push(...findWordFaults(module));
  }
  for (const cycle of findCycles(graph))
    faults.push(`These files import each other in a ring: ${cycle.join(' → ')}.`);
  return faults;
}

function findImportFault(from: string, target: string, isType: boolean): string | undefined {
  if (target.startsWith('server/')) {
    if (/\.test\.tsx?$/.test(from)) return undefined;
    if (from !== CONTRACT) return `only ${CONTRACT} may import from the server`;
    if (target !== SERVER_CONTRACT) return `the client may import ${SERVER_CONTRACT} only from the server`;
    return isType ? undefined : 'the client may import only types from the server';
  }
  if (ABOVE.test(target) && !ABOVE.test(from)) return 'a part does not know what puts it together';
  const floor = GROUND.findIndex((folder) => from.startsWith(`web/src/${folder}/`));
  const targetFloor = GROUND.findIndex((folder) => target.startsWith(`web/src/${folder}/`));
  if (floor !== -1 && target.startsWith('web/src/') && (targetFloor === -1 || targetFloor > floor))
    return `${GROUND[floor]} stands below it`;
  return undefined;
}

function findWordFaults({ path: modulePath, code, text }: SourceModule): string[] {
  if (/\.test\.tsx?$/.test(modulePath) || ASKS.test(modulePath)) return [];
  return [...code.matchAll(/\bfetch\s*\(|\bXMLHttpRequest\b|\bEventSource\b/g)].map(
    (match) => `${modulePath}:${lineAt(text, match.index)} asks the service by itself: api/ask.ts does that.`,
  );
}
