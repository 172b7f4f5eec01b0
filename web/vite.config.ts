import path from 'node:path';
import react from '@vitejs/plugin-react';
import type { UserConfig } from 'vite';
import { englishMessages } from './english-messages.ts';
import { pdfAssets } from './pdf-assets.ts';

const config: UserConfig = {
  plugins: [englishMessages(), react({ jsxImportSource: '#jsx' }), pdfAssets()],
  build: {
    target: 'es2023',
    // Nothing but files of our own: the policy of the page lets no `data:` in.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Moved by tools/build/build-web.ts, for the licences in packages of Holdall.
    license: { fileName: '.vite/bundled-packages.json' },
    rolldownOptions: {
      // The drive is what most visits open. As an entry of its own, its modules are known as those of the
      // first page.
      input: ['index.html', 'src/pages/drive/drive-page.tsx'].map((file) =>
        path.join(import.meta.dirname, file),
      ),
      output: {
        codeSplitting: {
          // Few files for the first page, and nothing in them that it does not need.
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
              test: /node_modules|client\/src\/|web\/src\/(?:api|common|messages|ui)\/|virtual:english/,
            },
            { name: 'drive', tags: ['$initial'], test: /web\/src\/(?:features|pages|shell)\// },
          ],
        },
      },
    },
  },
};

// Vite reads the default export of its configuration.
// biome-ignore lint/style/noDefaultExport: as said
export default config;
