import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Plugin } from 'vite';

const PACKAGE = path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
const { version } = JSON.parse(readFileSync(path.join(PACKAGE, 'package.json'), 'utf8'));

/** The files that pdf.js loads while it shows a PDF, by their folder in its package. */
const FILES: Readonly<Record<string, RegExp>> = {
  // Which characters the codes of Chinese, Japanese and Korean fonts stand for.
  cmaps: /\.bcmap$/,
  // Every reader has to bring these fonts: PDFs use them without containing them.
  standard_fonts: /\.(?:pfb|ttf)$/,
  // Decoders of scans and JPEG 2000 as plain scripts: the policy of our pages allows no WebAssembly.
  wasm: /_nowasm_fallback\.js$/,
};

/** The folder has the version in its name, because browsers keep its files for a year. */
const PREFIX = `assets/pdfjs-${version}/`;

/** Puts the files that pdf.js loads on demand next to our own assets. */
export function pdfAssets(): Plugin {
  return {
    name: 'pdf-assets',
    generateBundle() {
      for (const [folder, wanted] of Object.entries(FILES)) {
        for (const name of readdirSync(path.join(PACKAGE, folder)).filter((each) => wanted.test(each))) {
          const source = readFileSync(path.join(PACKAGE, folder, name));
          this.emitFile({ type: 'asset', fileName: `${PREFIX}${folder}/${name}`, source });
        }
      }
    },
    configureServer({ middlewares }) {
      middlewares.use(`/${PREFIX}`, (request, response, next) => {
        const [, folder = '', name = ''] = /^\/(\w+)\/([\w.-]+)$/.exec(request.url ?? '') ?? [];
        const file = path.join(PACKAGE, folder, name);
        if (FILES[folder]?.test(name) !== true || !existsSync(file)) return next();
        if (name.endsWith('.js')) response.setHeader('content-type', 'text/javascript');
        response.end(readFileSync(file));
      });
    },
  };
}

/** The licences of those files, which differ from the licence of the package. */
export function readPdfLicences(): readonly string[] {
  return Object.keys(FILES).flatMap((folder) =>
    readdirSync(path.join(PACKAGE, folder))
      .filter((name) => name.startsWith('LICENSE'))
      .sort()
      .map((name) => readFileSync(path.join(PACKAGE, folder, name), 'utf8').trim()),
  );
}
