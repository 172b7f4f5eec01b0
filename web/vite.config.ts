import path from 'node:path';
import react from '@vitejs/plugin-react';
import type { UserConfig } from 'vite';
import { englishMessages } from './english-messages.ts';
import { fontPreload } from './font-preload.ts';
import { pdfAssets } from './pdf-assets.ts';

const config: UserConfig = {
  plugins: [englishMessages(), react({ jsxImportSource: '#jsx' }), pdfAssets(), fontPreload()],
  build: {
    target: 'es2023',
    // Assets stay separate files, because the content security policy of the page does not allow `data:`
    // URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // tools/build/build-web.ts moves this file. It provides the licences for packages of Holdall.
    license: { fileName: '.vite/bundled-packages.json' },
    rolldownOptions: {
      // Most visits open the drive. It is a separate entry, so that its modules are known to belong to the
      // first page.
      input: ['index.html', 'src/pages/drive/drive-page.tsx'].map((file) =>
        path.join(import.meta.dirname, file),
      ),
      output: {
        codeSplitting: {
          // The first page gets few files, without anything that it does not need.
          groups: [
            {
              name: 'base',
              priority: 2,
              test: /node_modules\/(?:react|react-dom|scheduler|@tanstack\/[\w-]+|i18next|react-i18next)\//,
              tags: ['$initial'],
            },
            {
              name: 'first',
              priority: 1,
              tags: ['$initial'],
              test: /node_modules|(?:client|server)\/src\/|web\/src\/(?:api|common|messages|ui)\/|virtual:english/,
            },
            { name: 'drive', tags: ['$initial'], test: /web\/src\/(?:features|pages|shell)\// },
          ],
        },
      },
    },
  },
};

// biome-ignore lint/style/noDefaultExport: required by Vite
export default config;
