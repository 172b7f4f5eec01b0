// Builds the web client into `web/dist`, unless the output there was built from the same sources.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { NOT_PAGES } from '../../server/src/site/not-pages.ts';
import { LATIN_FONT } from '../../web/font-preload.ts';
import { readPdfLicences } from '../../web/pdf-assets.ts';
import { BuiltOutput } from './built-output.ts';
import {
  BUNDLED_PACKAGES,
  type PackageLicence,
  readPackageLicence,
  readPackagesOf,
  writeBundledPackages,
} from './package-licence.ts';

const root = path.join(import.meta.dirname, '..', '..');
const VITE = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');

/** Of the server, only files whose code ends up in the client: its types are erased. */
const OUTPUT = new BuiltOutput('web/dist', [
  'web/src/**/*',
  'web/public/**/*',
  'web/service-worker/**/*',
  'web/document-frames/**/*',
  'client/src/{common,transfer,downloads,errors,events,generated,login,requests}/**/*',
  'server/src/site/not-pages.ts',
  'web/*.*',
  'package-lock.json',
  'tools/build/build-web.ts',
  'tools/build/draw-icons.ts',
  'tools/build/package-licence.ts',
]);

/** Smaller files gain nothing from compression. */
const MIN_BYTES = 1_000;

/** Whether `web/dist` was built from the current sources. */
export function isWebBuilt(): boolean {
  return OUTPUT.isCurrent();
}

/** Builds the client if its sources have changed. @throws Error with the output of the bundler */
export function buildWeb(onBegin: () => void = () => {}): 'built' | 'up to date' {
  return OUTPUT.update(() => {
    onBegin();
    if (!existsSync(VITE)) {
      throw new Error('The web client cannot be built: install the development packages (npm ci) first.');
    }
    run('The web client does not build', [
      ...[VITE, 'build', 'web', '--emptyOutDir', '--manifest', '--logLevel', 'warn'],
    ]);
    const { directory } = OUTPUT;
    const ofPages: PackageLicence[] = JSON.parse(
      readFileSync(path.join(directory, '.vite', BUNDLED_PACKAGES), 'utf8'),
    );
    run('The icons cannot be drawn', ['tools/build/draw-icons.ts', path.join(directory, 'web')]);
    const ofOthers = [
      ...buildServiceWorker(directory),
      ...['docx', 'xlsx', 'pages', 'epub'].flatMap((name) => buildDocumentFrame(directory, name)),
    ];
    const font = readPackageLicence(path.join(root, 'node_modules', '@fontsource-variable', 'inter'));
    writeBundledPackages(directory, [...ofPages.map(addPdfLicences), ...ofOthers, font]);
    for (const file of globSync('{assets/**/*.{js,css,svg},frames/*.html}', { cwd: directory })) {
      compress(path.join(directory, file));
    }
  });
}

/** Adds the separate licences of the fonts and decoders in the package of pdf.js. */
function addPdfLicences(found: PackageLicence): PackageLicence {
  if (found.name !== 'pdfjs-dist') return found;
  return { ...found, text: [found.text, ...readPdfLicences()].join('\n\n') };
}

function run(complaint: string, command: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${complaint}:\n${stdout}${stderr}`);
}

/** The pages that also open offline if they were never opened before. */
const FIRST_PAGES = ['index.html', 'src/pages/drive/drive-page.tsx', 'src/pages/login/log-in-page.tsx'];

/** A chunk in the manifest of Vite: https://vite.dev/guide/backend-integration */
interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

/** Builds the service worker, which lists the files that the first pages need. Returns its packages. */
function buildServiceWorker(directory: string): readonly PackageLicence[] {
  const manifest = path.join(directory, '.vite', 'manifest.json');
  const chunks: Record<string, Chunk> = JSON.parse(readFileSync(manifest, 'utf8'));
  rmSync(path.dirname(manifest), { recursive: true });
  const files = new Set<string>();
  const add = (name: string) => {
    const { file, imports = [], css = [] } = chunks[name] ?? {};
    if (file === undefined) throw new Error(`The web client has no ${name} for its service worker.`);
    if (files.has(`/${file}`)) return;
    for (const each of [file, ...css]) files.add(`/${each}`);
    for (const each of imports) add(each);
  };
  for (const page of FIRST_PAGES) add(page);
  for (const asset of globSync('assets/*', { cwd: directory })) {
    if (LATIN_FONT.test(asset)) files.add(`/${asset}`);
  }
  const build = createHash('sha256')
    .update(readFileSync(path.join(directory, 'index.html')))
    .digest('hex')
    .slice(0, 16);
  const { metafile } = buildSync({
    absWorkingDir: root,
    entryPoints: ['web/service-worker/service-worker.ts'],
    outfile: path.join(directory, 'service-worker.js'),
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2023',
    define: {
      BUILD: JSON.stringify(build),
      FIRST_FILES: JSON.stringify([...files].sort()),
      NOT_PAGES: JSON.stringify(NOT_PAGES.source),
    },
    legalComments: 'none',
    logLevel: 'silent',
    metafile: true,
  });
  return readPackagesOf(metafile);
}

/** Builds a page that shows documents. It is a single file, because it may not load others. */
function buildDocumentFrame(directory: string, name: string): readonly PackageLicence[] {
  const { outputFiles, metafile } = buildSync({
    absWorkingDir: root,
    entryPoints: [`web/document-frames/${name}.ts`],
    write: false,
    metafile: true,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2023',
    legalComments: 'none',
    logLevel: 'silent',
  });
  // A script ends at the first such tag, even inside a string.
  const script = (outputFiles[0]?.text ?? '').replaceAll('</script', '<\\/script');
  const style = readFileSync(path.join(root, 'web', 'document-frames', `${name}.css`), 'utf8');
  const page = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Document</title>',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<style>${style}</style></head><body></body><script>${script}</script></html>`,
  ].join('');
  mkdirSync(path.join(directory, 'frames'), { recursive: true });
  writeFileSync(path.join(directory, 'frames', `${name}.html`), page);
  return readPackagesOf(metafile);
}

/** Writes a compressed copy next to the file, so that no request waits for compression. */
function compress(file: string): void {
  const bytes = readFileSync(file);
  if (bytes.byteLength < MIN_BYTES) return;
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
  };
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
}
