import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Plugin } from 'vite';

const PACKAGE = path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
const { version } = JSON.parse(readFileSync(path.join(PACKAGE, 'package.json'), 'utf8'));

/** The files that pdf.js loads while it shows a PDF, by folder in its package. */
const FILES: Readonly<Record<string, RegExp>> = {
  // The mapping from codes to characters for Chinese, Japanese and Korean fonts.
  cmaps: /\.bcmap$/,
  // The standard fonts, which PDFs may use without containing them.
  standard_fonts: /\.(?:pfb|ttf)$/,
  // Decoders for scans and JPEG 2000 as plain scripts, because our content security policy allows no
  // WebAssembly.
  wasm: /_nowasm_fallback\.js$/,
};

/** The folder name contains the version, because browsers cache the files for a year. */
const PREFIX = `assets/pdfjs-${version}/`;

/** Copies the files that pdf.js loads on demand into our own assets. */
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
