// The main use with real input: a tree of thousands of files is uploaded, rearranged in the drive, and
// downloaded again; everything is compared byte by byte. `npm run demo -- --help` shows the options.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildServer } from '../build/build-server.ts';
import { Leftovers } from '../processes/leftovers.ts';
import type { ListeningProgram } from '../processes/listening-program.ts';
import { compareWithDrive, downloadAsZip, downloadOneByOne } from './comparison/read-back.ts';
import { ExpectedTree } from './files/expected-tree.ts';
import { collectSourceTree, makeBigFile } from './files/source-tree.ts';
import { makeDirectories, uploadFiles } from './fill-drive.ts';
import { Progress } from './progress.ts';
import { rearrange, recycle, restore, tryForbiddenActs } from './rearrange.ts';
import { AT_A_TIME, type Scene } from './scene.ts';
import { DriveClient } from './service/drive-client.ts';
import { HttpClient } from './service/http-client.ts';
import { INVITE_CODE, startOwnService } from './service/own-service.ts';
import { Session } from './service/session.ts';
import { StepLog } from './step-log.ts';

const USAGE = `npm run demo -- [options]
  --url URL              a running service (default: one is started for the demonstration)
  --username, --password an account of it; without: a new one is registered
  --invite-code CODE     for the new account
  --big-file-size BYTES  of the one big file (default: 1073741824)
  --work-dir DIR         for temporary files, about three times the big file (default: the system's)
  --keep                 leave the tree in the drive of a running service
  --entry FILE           the main file of the service to start (default: server/dist/main.js)
`;

const MAX_DIFFERENCES_SHOWN = 50;

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    username: { type: 'string' },
    password: { type: 'string' },
    'invite-code': { type: 'string', default: INVITE_CODE },
    'big-file-size': { type: 'string', default: String(1024 ** 3) },
    'work-dir': { type: 'string', default: tmpdir() },
    keep: { type: 'boolean', default: false },
    entry: { type: 'string', default: path.join(import.meta.dirname, '../../server/dist/main.js') },
    help: { type: 'boolean', default: false },
  },
});
const bigFileBytes = Number(values['big-file-size']);
if (values.help) process.stdout.write(USAGE);
else if (!Number.isSafeInteger(bigFileBytes) || bigFileBytes < 0) {
  process.stderr.write('--big-file-size must be a number of bytes\n');
  process.exitCode = 1;
} else process.exitCode = await demonstrate();

/** Returns the exit status: 1 if anything in the drive was not as expected. */
async function demonstrate(): Promise<number> {
  const leftovers = new Leftovers();
  leftovers.removeOnSignals();
  const workDirectory = mkdtempSync(path.join(values['work-dir'], 'holdall-demo-'));
  leftovers.add(() => rmSync(workDirectory, { recursive: true, force: true }));
  const log = new StepLog(new Progress(process.stdout));
  let service: ListeningProgram | undefined;
  let client: HttpClient | undefined;
  try {
    if (values.url === undefined) {
      buildServer();
      service = await startOwnService(path.resolve(values.entry), workDirectory, leftovers);
    }
    const url = service?.url ?? new URL(values.url ?? '');
    process.stdout.write(`${url.origin}\n`);
    client = new HttpClient(url, AT_A_TIME);
    await playThrough(new DriveClient(client, await openSession(client)), log, workDirectory);
  } catch (error) {
    log.addDifference(`it broke off: ${describeChain(error)}`);
    if (service?.hasEnded) log.addDifference(`the service ended; its last words:\n${service.output}`);
  } finally {
    client?.close();
    await service?.stop();
    leftovers.removeAll();
  }
  return report(log);
}

function openSession(client: HttpClient): Promise<Session> {
  const { password, username } = values;
  if (username !== undefined && password !== undefined) return Session.logIn(client, { username, password });
  const name = `demo-${Date.now().toString(36)}`;
  return Session.register(client, { username: name, password: `${name}-passphrase` }, values['invite-code']);
}

async function playThrough(drive: DriveClient, log: StepLog, workDirectory: string): Promise<void> {
  const source = await log.run('find files', undefined, async (progress) => {
    const tree = collectSourceTree();
    progress.addCount(tree.files.length);
    return tree;
  });
  const root = `/demo ${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}`;
  const { id: rootId } = await drive.makeDirectory(root);
  const scene: Scene = { drive, root, expected: new ExpectedTree(), log };

  await makeDirectories(scene, source);
  await uploadFiles(scene, 'upload files', source.files);
  await uploadFiles(scene, 'upload one big file', [makeBigFile(bigFileBytes)]);
  await compareWithDrive(scene, 'list and compare');
  await rearrange(scene);
  const recycled = await recycle(scene);
  await compareWithDrive(scene, 'list and compare, some recycled');
  await restore(scene, recycled);
  await tryForbiddenActs(scene);
  const listed = await compareWithDrive(scene, 'list and compare, all restored');
  await downloadOneByOne(scene, listed);
  await downloadAsZip(scene, rootId, path.join(workDirectory, 'all.zip'));

  if (values.url !== undefined && !values.keep) {
    await drive.recycle(rootId);
    await drive.purge(rootId);
  }
}

function describeChain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${describeChain(error.cause)}`;
}

function report(log: StepLog): number {
  const { differences } = log;
  process.stdout.write(`\n${log.toTable()}\n\n`);
  if (differences.length === 0) {
    process.stdout.write('Everything came back as it went in.\n');
    return 0;
  }
  const shown = differences.slice(0, MAX_DIFFERENCES_SHOWN);
  process.stdout.write(`${differences.length} differences:\n${shown.map((line) => `- ${line}\n`).join('')}`);
  if (differences.length > shown.length) process.stdout.write('- and more\n');
  return 1;
}
