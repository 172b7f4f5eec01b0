import { setTimeout as sleep } from 'node:timers/promises';
import { timeAlone } from '../load/alone.ts';
import { each, runLoad } from '../load/load.ts';
import { getRequest, jsonRequest, uploadRequest } from '../load/requests.ts';
import { type Case, type Figure, inTurnWithCpu, type Run } from '../report/figure.ts';
import { withCpu } from '../report/memory.ts';
import { readNumber, type Service } from '../service.ts';
import type { Stage } from '../stage.ts';

const WORDS_PER_TEXT = 300;
const VOCABULARY = 20_000;
/** The rank of a word in texts falls as in natural languages: `word1` is in nearly all of them. */
const wordOf = (random: number) => `word${Math.floor(VOCABULARY ** random)}`;

const QUESTIONS = [
  { name: 'a rare word', q: 'word19000' },
  { name: 'two rare words', q: 'word9000 word8000' },
  { name: 'a frequent word', q: 'word1' },
  { name: 'frequent words with filters', q: 'word1 word2 word3&kind=DOCUMENT&minSize=1&under=/texts' },
  { name: 'a rare word in names and texts', q: 'txt word19000&in=all' },
  { name: 'frequent words in names and texts', q: 'word1 word2&in=all' },
];

const POLL_MS = 1_000;

/** Allows more entries than the default limit of an account. */
const ENVIRONMENT = { HOLDALL_DEFAULT_MAX_ENTRIES: '2000000' };

/** Words must be found in milliseconds among many texts, and texts must be taken quickly. */
export const contentSearch: Case = {
  name: 'content-search',
  measure: (stage) =>
    stage.withService((service) => measureTexts(stage, service, ''), { environment: ENVIRONMENT }),
};

export const contentSearchOnPostgres: Case = {
  name: 'content-search-postgres',
  measure: (stage) =>
    stage.withPostgres((databaseUrl) =>
      stage.withService((service) => measureTexts(stage, service, ', PostgreSQL'), {
        databaseUrl,
        environment: ENVIRONMENT,
      }),
    ),
};

const CONNECTIONS = 16;
/** Enough for longer than the measured uploads take. */
const BACKLOG = 5_000;

/** Uploads while other files are being indexed, compared with a service that indexes none. */
export const uploadWhileIndexing: Case = {
  name: 'upload-while-indexing',
  measure: async (stage) => {
    const rateOf = (isOn: boolean) => () =>
      stage.withService((service) => measureUploads(stage, service, isOn), {
        environment: { ...ENVIRONMENT, HOLDALL_CONTENT_SEARCH: isOn ? 'on' : 'off' },
      });
    const rates = await inTurnWithCpu(stage.scale.runs, rateOf(true), rateOf(false));
    return [{ name: 'upload of texts while others are taken', unit: 'files/s', ...rates }];
  },
};

async function measureUploads(stage: Stage, service: Service, isOn: boolean): Promise<Run> {
  const requests = [...listUploads(BACKLOG + 2 * stage.scale.uploads, service.token)];
  await service.callAll(requests.slice(0, BACKLOG));
  while (isOn && (await countFound(service, 'word1')) === 0) await sleep(POLL_MS / 10);
  return await withCpu(service.pid, async () => {
    const { answers, seconds } = await runLoad({
      port: service.port,
      connections: CONNECTIONS,
      next: each(requests.slice(BACKLOG)),
    });
    return { value: answers / seconds, operations: answers };
  });
}

async function measureTexts(stage: Stage, service: Service, suffix: string): Promise<readonly Figure[]> {
  const count = stage.scale.texts;
  stage.say(`uploading ${count.toLocaleString('en')} texts`);
  const beganAt = performance.now();
  await service.callAll(listUploads(count, service.token));
  stage.say('waiting until they can be found');
  for (const id of [0, Math.floor(count / 2), count - 1]) {
    while ((await countFound(service, `document${id}`)) === 0) await sleep(POLL_MS);
  }
  const seconds = (performance.now() - beganAt) / 1_000;
  const figures: Figure[] = [
    { name: `texts uploaded and taken${suffix}`, unit: '/s', runs: [Math.round(count / seconds)] },
  ];
  const drive = await service.call(jsonRequest('POST', '/api/v2/drives', { name: 'empty' }, service.token));
  const inFewFiles = {
    name: 'a frequent word in a drive without files',
    q: `word1&drive=${readNumber(drive, 'id')}`,
  };
  for (const { name, q } of [...QUESTIONS, inFewFiles]) {
    stage.say(`${name}: ${(await countFound(service, q)).toLocaleString('en')}`);
    const requests = [getRequest(toPath(q), service.token)];
    const runs = await timeAlone(stage, service, requests);
    figures.push({ name: `content search of ${name} among 100,000${suffix}`, unit: 'ms', runs });
  }
  return figures;
}

/** The same texts in each run. */
function* listUploads(count: number, token: string): Generator<Buffer> {
  let state = 1;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  for (let id = 0; id < count; id += 1) {
    const words = Array.from({ length: WORDS_PER_TEXT }, () => wordOf(random()));
    const content = Buffer.from(`document${id} ${words.join(' ')}`);
    yield uploadRequest({ directory: `/texts/${id % 100}`, filename: `${id}.txt`, token }, content);
  }
}

async function countFound(service: Service, q: string): Promise<number> {
  return readNumber(await service.get(toPath(q)), 'total');
}

function toPath(q: string): string {
  const place = q.includes('&in=') ? '' : 'in=content&';
  return `/api/v2/files/search?${place}q=${q.replaceAll(' ', '%20')}`;
}
