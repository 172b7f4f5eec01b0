import assert from 'node:assert/strict';
import { refuse } from '../refusals.ts';
import type { Section } from '../suite.ts';
import { fetchFile } from './fetch-file.ts';

const RELEASES = '/api/app/android';

export const releases: Section = {
  title: 'Mobile releases',
  checks: {
    'the latest release is downloadable, where one is published': async ({ anonymous }) => {
      const latest = await anonymous.call<{ downloadUrl: string; fileName: string }>(
        'GET',
        `${RELEASES}/latest`,
      );
      if (latest.status === 404) {
        await refuse('not-found', anonymous, 'GET', `${RELEASES}/download`);
        return;
      }
      const { downloadUrl, fileName } = latest.data;
      for (const url of [`${RELEASES}/download`, new URL(downloadUrl, anonymous.url).pathname]) {
        const response = await fetchFile(anonymous, url, { headers: { range: 'bytes=0-0' } });
        await response.arrayBuffer();
        assert.equal(response.status, 206);
        assert.ok(response.headers.get('content-disposition')?.includes(fileName));
      }
    },
    'an unknown package is not found': async ({ anonymous }) => {
      await refuse('not-found', anonymous, 'GET', `${RELEASES}/download/no-such-package-0.0.0.apk`);
    },
  },
};
