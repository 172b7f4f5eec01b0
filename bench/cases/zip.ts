import { get } from 'node:http';
import { type Case, repeat } from '../report/figure.ts';
import { smallFiles } from '../small-files.ts';

/** Downloads a directory of small files as one ZIP. */
export const zip: Case = {
  name: 'zip',
  measure: (stage) =>
    stage.withService(async (service) => {
      stage.say('uploading a directory to zip');
      const files = stage.scale.zippedFiles;
      const id = await service.makeDirectory('/zipped');
      await service.callAll(smallFiles(service, '/zipped', files));
      const url = new URL(`http://127.0.0.1:${service.port}/api/files/download/${id}`);
      await countBytes(url, service.token);
      const runs = await repeat(stage.scale.runs, async () => {
        const start = performance.now();
        for (let index = 0; index < stage.scale.repeats / 4; index += 1) {
          const bytes = await countBytes(url, service.token);
          if (bytes < files * 4_096) throw new Error(`a zip of ${bytes} bytes cannot hold ${files} files`);
        }
        const seconds = (performance.now() - start) / 1_000;
        return (files * Math.ceil(stage.scale.repeats / 4)) / seconds;
      });
      return [{ name: 'zip of 1,000 files', unit: 'files/s', runs }];
    }),
};

// Uses node:http instead of the load client: a ZIP may be chunked, and a single request does not make the
// client the bottleneck.
function countBytes(url: URL, token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers: { Authorization: `Bearer ${token}` } }, (response) => {
      let bytes = 0;
      let start = '';
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (response.statusCode !== 200 && start.length < 1_000) start += chunk.toString();
      });
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve(bytes);
        else reject(new Error(`GET ${url.pathname} answered ${response.statusCode}: ${start}`));
      });
    });
    request.on('error', reject);
  });
}
