import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';

const SOURCE = path.join(import.meta.dirname, 'src');
const DIRECTORY = path.join(SOURCE, 'messages', 'en');
const I18N = path.join(SOURCE, 'messages', 'i18n.ts');

/** The prefix of the virtual modules. Each contains the messages of one area. */
const VIRTUAL = 'virtual:english/';
/** The leading NUL tells the bundler that the module does not come from a file. */
const RESOLVED = `\0${VIRTUAL}`;

/**
 * Lets each module load the English messages that it uses, so that a page loads no others. A module uses an
 * area if it contains a string such as `'shares.title'`. The messages are loaded before any code of the
 * module runs.
 */
export function englishMessages(): Plugin {
  const areas = new Set(readdirSync(DIRECTORY).map((file) => path.basename(file, '.json')));
  return {
    name: 'english-messages',
    enforce: 'pre',
    resolveId: (id) => (id.startsWith(VIRTUAL) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(RESOLVED)) return undefined;
      const area = id.slice(RESOLVED.length);
      const file = path.join(DIRECTORY, `${area}.json`);
      this.addWatchFile(file);
      const texts = readFileSync(file, 'utf8');
      return `import { addEnglish } from ${JSON.stringify(I18N)};\naddEnglish(${JSON.stringify(area)}, ${texts});`;
    },
    transform(code, id) {
      if (!isOfClient(id)) return undefined;
      const used = new Set([...code.matchAll(/['"`](\w+)\.[\w$]/g)].map(([, area = '']) => area));
      const imports = [...used.intersection(areas)].map((area) => `import '${VIRTUAL}${area}';`);
      // Added to the first line, so that line numbers stay the same.
      return imports.length === 0 ? undefined : { code: imports.join('') + code, map: null };
    },
  };
}

function isOfClient(id: string): boolean {
  return id.startsWith(SOURCE) && !id.startsWith(path.dirname(DIRECTORY)) && /\.tsx?$/.test(id);
}
