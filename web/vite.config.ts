import react from '@vitejs/plugin-react';
import type { UserConfig } from 'vite';

const SERVICE = 'http://127.0.0.1:8080';

const config: UserConfig = {
  plugins: [react()],
  build: {
    target: 'es2023',
    // Nothing but files of our own: the policy of the page lets no `data:` in.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // What every page needs from the first moment comes in one piece.
        codeSplitting: {
          groups: [
            {
              name: 'base',
              test: /node_modules\/(?:react|react-dom|scheduler|@tanstack\/[\w-]+|i18next|react-i18next)\//,
            },
            // Small things that most pages share; what few of them share stays with those.
            {
              name: 'shared',
              minShareCount: 18,
              test: /node_modules\/@mantine|node_modules\/@tabler|web\/src\/(?:api|common|messages|ui)\//,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': SERVICE, '/_dl': SERVICE } },
};

// Vite reads the default export of its configuration.
// biome-ignore lint/style/noDefaultExport: as said
export default config;
