// Starts the rest of the command line on a Node.js that is new enough (see `engines` in package.json).
//
// If the present Node is too old, a current one is fetched from the npm registry: the package
// `node-linux-<arch>` contains only the program and runs no install script. It is stored in `.cache/node`.
// `npm ci` fetches it (`--fetch`, in the `postinstall` script), so that a start needs no network.
//
// Plain JavaScript on purpose: this file must run on every Node since 16.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST = [22, 18];
const FETCHED_VERSION = '24.21.0';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const cache = path.join(root, '.cache', 'node');
const packageName = `node-${process.platform}-${process.arch}`;
const fetchedProgram = path.join(cache, 'node_modules', packageName, 'bin', 'node');

function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

function fetchNode() {
  if (existsSync(fetchedProgram)) return undefined;
  mkdirSync(cache, { recursive: true });
  // Its own package.json prevents npm from using the workspace root.
  const answer = spawnSync(
    'npm',
    [
      'install',
      '--prefix',
      cache,
      '--no-save',
      '--no-package-lock',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      `${packageName}@${FETCHED_VERSION}`,
    ],
    { cwd: cache, encoding: 'utf8', env: withoutNpmSettings() },
  );
  return existsSync(fetchedProgram) ? undefined : (answer.stderr || String(answer.error)).trim();
}

// An outer `npm ci` passes its settings in the environment; here they would point to the workspace.
function withoutNpmSettings() {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^npm_(config_(local_)?prefix|config_workspaces?|package_|lifecycle_|command)/i.test(name),
  );
  return Object.fromEntries(kept);
}

function fail(detail) {
  const needed = `Holdall needs Node.js ${OLDEST.join('.')} or newer; this is ${process.versions.node}`;
  process.stderr.write(`${needed}, and a newer one could not be fetched from the npm registry.\n${detail}\n`);
  process.exit(1);
}

const newEnough = isNewEnough(process.versions.node);
if (process.argv[2] === '--fetch') {
  const fault = newEnough ? undefined : fetchNode();
  if (fault !== undefined) fail(fault);
} else {
  const fault = newEnough ? undefined : fetchNode();
  if (fault !== undefined) fail(fault);
  const program = newEnough ? process.execPath : fetchedProgram;
  const env = { ...process.env, PATH: `${path.dirname(program)}${path.delimiter}${process.env.PATH ?? ''}` };
  const words = process.argv.slice(2);
  // Replaces this process, so that it does not stay in memory beside the service. Not every Node has it.
  if (process.execve !== undefined) process.execve(program, [program, ...words], env);
  const child = spawn(program, words, { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(error.message));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
