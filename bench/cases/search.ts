import { timeAlone } from '../load/alone.ts';
import { getRequest, jsonRequest } from '../load/requests.ts';
import type { Case, Figure } from '../report/figure.ts';
import { readNumber, type Service } from '../service.ts';
import type { Stage } from '../stage.ts';

const NAMES = 2_000;
const PAGE_SIZE = 20;
const WORDS =
  'holiday summer report invoice draft family birthday house garden meeting project budget music concert letter school travel winter beach mountain recipe photo notes backup design sketch plan review final copy'.split(
    ' ',
  );
/** Each of these words occurs in exactly one name. */
const RARE_WORDS = ['Zanzibar', 'Jokulsarlon', 'Ouagadougou', 'Xylophone', 'Quetzalcoatl'];

interface Question {
  readonly name: string;
  /** The queries, used in turn. */
  readonly queries: readonly string[];
}

const QUESTIONS: readonly Question[] = [
  { name: 'a rare word', queries: RARE_WORDS.map((word) => `name=${word.toLowerCase()}`) },
  { name: 'a word that nothing has', queries: ['name=kilimanjaro'] },
  { name: '.jpg', queries: ['name=.jpg'] },
  { name: 'two characters', queries: ['name=ho'] },
  { name: 'two characters that nothing has', queries: ['name=qq'] },
  { name: 'directories, updated since 2000', queries: ['type=directory&updatedGte=2000-01-01T00:00:00'] },
  { name: 'size alone', queries: ['sizeGte=1'] },
];

/** Allows more entries than the default limit of an account. */
const ENVIRONMENT = { HOLDALL_DEFAULT_MAX_ENTRIES: '2000000' };

/** The time of a search for rare text must hardly grow with the size of the drive. */
export const search: Case = {
  name: 'search',
  measure: (stage) =>
    stage.withService((service) => measureDrives(stage, service, ''), { environment: ENVIRONMENT }),
};

export const searchOnPostgres: Case = {
  name: 'search-postgres',
  measure: (stage) =>
    stage.withPostgres((databaseUrl) =>
      stage.withService((service) => measureDrives(stage, service, ', PostgreSQL'), {
        databaseUrl,
        environment: ENVIRONMENT,
      }),
    ),
};

async function measureDrives(stage: Stage, service: Service, suffix: string): Promise<readonly Figure[]> {
  const [small, large] = stage.scale.searchedEntries;
  stage.say(`making a drive of ${small.toLocaleString('en')} entries`);
  await makeNames(service, Math.min(NAMES, small));
  const tenth = await idOf(service, '/drive/0/names');
  await copyInto(service, tenth, '/drive', 1, small / NAMES);
  const figures = [...(await measureQuestions(stage, service, `50,000${suffix}`))];
  stage.say(`making it one of ${large.toLocaleString('en')}`);
  const whole = await idOf(service, '/drive');
  await copyInto(service, whole, '/more', 1, large / small);
  return [...figures, ...(await measureQuestions(stage, service, `1,000,000${suffix}`))];
}

/** Creates the names in a new directory. Most are pictures, as in real drives. */
async function makeNames(service: Service, count: number): Promise<void> {
  await service.makeDirectory('/drive/0/names');
  const wordOf = (index: number) => WORDS[index % WORDS.length];
  const paths = Array.from({ length: count }, (_, index) => {
    const rare = RARE_WORDS[index];
    const name =
      rare ??
      (index % 2 === 0
        ? `IMG_${20_100_000 + ((index * 7_919) % 160_000)}_${index}.jpg`
        : `${wordOf(index * 7)} ${wordOf(index * 13 + 5)} ${index}.${index % 3 === 0 ? 'jpg' : 'pdf'}`);
    return `/drive/0/names/${name}`;
  });
  await service.callAll(paths.map((path) => service.mkdirRequest(path)));
}

/** Copies a directory several times, under numbered names. */
async function copyInto(service: Service, id: number, into: string, from: number, to: number): Promise<void> {
  for (let number = from; number < to; number += 1) {
    const path = `${into}/${number}`;
    await service.makeDirectory(path);
    await service.call(jsonRequest('POST', `/api/files/${id}/copy`, { path }, service.token));
  }
}

async function measureQuestions(stage: Stage, service: Service, of: string): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const { name, queries } of QUESTIONS) {
    const paths = queries.map((query) => `/api/v2/files/search?${query}&size=${PAGE_SIZE}`);
    const found = readNumber(await service.get(paths[0] ?? ''), 'total');
    stage.say(`${name}: ${found.toLocaleString('en')} out of ${of}`);
    const requests = paths.map((path) => getRequest(path, service.token));
    const runs = await timeAlone(stage, service, requests);
    figures.push({ name: `search of ${name} among ${of}`, unit: 'ms', runs });
  }
  return figures;
}

async function idOf(service: Service, path: string): Promise<number> {
  const cut = path.lastIndexOf('/');
  const query = `path=${path.slice(0, cut) || '/'}&size=1000`;
  const list = (await service.get(`/api/files/list?${query}`)) as { items: { id: number; path: string }[] };
  const found = list.items.find((item) => item.path === path);
  if (found === undefined) throw new Error(`there is no ${path}`);
  return found.id;
}
