// tier: default
// needs: nginx, build
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { startNginx } from './programs/nginx.ts';
import { inFull } from './testing/tiers.ts';

// The files in deploy/ are for other machines, so only paths, settings and syntax can be checked here.
const root = path.dirname(import.meta.dirname);
const deploy = path.join(root, 'deploy');
const scratch = mkdtempSync(path.join(tmpdir(), 'holdall-deploy-'));
after(() => rmSync(scratch, { recursive: true }));
const read = (name: string) => readFileSync(path.join(deploy, name), 'utf8');

test('every setting in these files is known to Holdall', () => {
  const config = readdirSync(path.join(root, 'server/src/config'))
    .map((name) => readFileSync(path.join(root, 'server/src/config', name), 'utf8'))
    .join();
  const known = new Set(config.match(/HOLDALL_[A-Z0-9_]+/g));
  assert.ok(known.size > 30);
  let named = 0;
  const names = readdirSync(deploy, { recursive: true, withFileTypes: true });
  for (const { parentPath, name: base } of names.filter((each) => each.isFile())) {
    const file = path.relative(deploy, path.join(parentPath, base));
    for (const [name] of read(file).matchAll(/HOLDALL_[A-Z0-9_]+/g)) {
      assert.ok(known.has(name), `${file}: ${name}`);
      named += 1;
    }
  }
  assert.ok(named > 10);
});

describe('the systemd units', () => {
  const units = ['holdall.service', 'holdall-backup.service', 'holdall-backup.timer'];

  test('start programs of this project as an unprivileged user', () => {
    for (const unit of units.filter((name) => name.endsWith('.service'))) {
      const [, program = ''] =
        /^ExecStart=\/usr\/bin\/node \/opt\/holdall\/(\S+) \w+/m.exec(read(unit)) ?? [];
      assert.ok(existsSync(path.join(root, program)), `${unit}: ${program}`);
      assert.match(read(unit), /^User=holdall$/m);
      assert.match(read(unit), /^NoNewPrivileges=yes$/m);
      assert.match(read(unit), /^ProtectSystem=strict$/m);
    }
  });

  test('confine the backup as strictly as the service, except that it may lower its priority', () => {
    const [service, backup] = ['holdall.service', 'holdall-backup.service'].map((unit) => {
      const confining =
        /^(?:Private|Proc|Protect|Remove|Restrict|Lock|NoNew|SystemCall|Capability|LimitCORE)\w*=.*/gm;
      return (read(unit).match(confining) ?? []).filter((line) => !line.includes('setpriority'));
    });
    assert.deepEqual(backup, service);
    assert.ok(backup !== undefined && backup.length > 20);
  });

  test('are valid for systemd, if it is installed', () => {
    for (const unit of units) {
      // Replace the paths and users of the target machine by ones that exist here.
      const here = read(unit)
        .replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`)
        .replace(/^(User|Group|WorkingDirectory|ReadWritePaths)=.*\n/gm, '');
      writeFileSync(path.join(scratch, unit), here);
    }
    const files = units.map((unit) => path.join(scratch, unit));
    const { error, status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...files], {
      encoding: 'utf8',
      // Verification does not contact a running systemd.
      env: { PATH: process.env.PATH, SYSTEMD_LOG_LEVEL: 'warning', SYSTEMD_UNIT_PATH: `${scratch}:` },
    });
    if (error !== undefined && 'code' in error && error.code === 'ENOENT') {
      // Without systemd: at least every line is a section, a setting or a comment.
      for (const line of units.flatMap((unit) => read(unit).split('\n'))) {
        assert.match(line, /^(\[\w+\]|[A-Z]\w+=.*|#.*|)$/);
      }
      return;
    }
    assert.deepEqual([status, linesAbout(stderr, units)], [0, []]);
  });
});

describe('the container', () => {
  const lines = read('Containerfile').split('\n');

  const last = lines.findLastIndex((line) => line.startsWith('FROM '));

  /** Whether .containerignore keeps the file in the build context. */
  const isInContext = (file: string) => !/\/(?:node_modules|dist)$/.test(file);

  /** Creates a directory with the files that a stage copies, and with the output of `npm ci`. */
  function assemble(name: string, steps: readonly string[]): string {
    const home = path.join(scratch, name);
    const copies = steps.flatMap((line) => [...line.matchAll(/^COPY (?!--from)(.+) (\S+)$/g)]);
    for (const [, sources = '', target = ''] of copies) {
      for (const source of sources.split(' ')) {
        const into = target.endsWith('/')
          ? path.join(home, target, path.basename(source))
          : path.join(home, target);
        cpSync(path.join(root, source), into, { recursive: true, filter: isInContext });
      }
    }
    for (const modules of ['node_modules', 'server/node_modules', 'web/node_modules']) {
      if (existsSync(path.join(root, modules)))
        symlinkSync(path.join(root, modules), path.join(home, modules));
    }
    return home;
  }

  test('builds a working package from the files it copies, and runs its command', inFull, async () => {
    const source = assemble('build', lines.slice(0, last));
    assert.match(lines.join('\n'), /^RUN npm run package -- --own$/m);
    // Reuses the output built from the same sources. Otherwise it would be built again.
    for (const part of ['server', 'web']) {
      cpSync(path.join(root, part, 'dist'), path.join(source, part, 'dist'), { recursive: true });
    }
    const script = `import { buildServer } from './tools/build/build-server.ts';
      import { buildWeb } from './tools/build/build-web.ts';
      import { buildOwnPackages } from './tools/package/build-own.ts';
      const outcomes = [buildServer(), buildWeb()];
      process.stdout.write(JSON.stringify({ outcomes, ...(await buildOwnPackages('packages')) }));`;
    const built = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: source,
      encoding: 'utf8',
    });
    assert.equal(built.status, 0, built.stderr);
    const { outcomes, archive } = JSON.parse(built.stdout);
    assert.deepEqual(outcomes, ['up to date', 'up to date']);
    const image = path.join(scratch, 'image', 'opt', 'holdall');
    mkdirSync(image, { recursive: true });
    spawnSync('tar', ['-xzf', path.join(source, archive), '--strip-components=1', '-C', image]);
    const entry: unknown = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(lines.join('\n'))?.[1] ?? '');
    assert.ok(Array.isArray(entry));
    const program = path.join(scratch, 'image', String(entry[0]));
    const ask = (...words: string[]) =>
      spawnSync(program, [...entry.slice(1), ...words], {
        cwd: image,
        encoding: 'utf8',
        env: { PATH: '/usr/bin:/bin', HOLDALL_DATA_DIR: path.join(scratch, 'data') },
      });
    assert.match(ask('help').stdout, /^Usage:/);
    const { status, stdout, stderr } = ask('migrate');
    assert.equal(status, 0, stderr);
    assert.match(stdout, /was migrated: 0001-/);
    assert.match(ask('serve', 'x').stderr, /Expected nothing but options/);
  });

  test('runs without privileges and reports its health', async () => {
    const text = lines.join('\n');
    assert.match(text, /^USER holdall$/m);
    assert.match(text, /^HEALTHCHECK [^\n]*\\\n\s+CMD \[/m);
    const check: unknown = JSON.parse(/^\s+CMD (\[.*\])$/m.exec(text)?.[1] ?? '');
    assert.ok(Array.isArray(check));
    const [program = '', ...words] = check.map(String);
    const isHealthy = async (port: number) => {
      const child = spawn(program, words, { env: { ...process.env, HOLDALL_PORT: String(port) } });
      const [status] = await once(child, 'exit');
      return status === 0;
    };
    let isReady = true;
    const service = createServer((request, response) => {
      response.writeHead(request.url === '/health/ready' && isReady ? 200 : 503).end();
    }).listen(0, '127.0.0.1');
    await once(service, 'listening');
    try {
      const { port } = service.address() as AddressInfo;
      assert.ok(await isHealthy(port));
      isReady = false;
      assert.ok(!(await isHealthy(port)));
    } finally {
      service.close();
    }
    // No service listens on this port.
    assert.ok(!(await isHealthy(1)));
  });
});

test('the compose files refer to existing services, volumes and files', () => {
  const compose = read('compose.yaml');
  const services = ['database', 'one', 'two', 'proxy', 'backup'];
  for (const name of services) assert.match(compose, new RegExp(`^  ${name}:`, 'm'));
  assert.doesNotMatch(compose, /\t/);
  for (const [, file = ''] of compose.matchAll(/- \.\/(\S+):\S+:ro/g))
    assert.ok(existsSync(path.join(deploy, file)), file);
  assert.match(compose, /dockerfile: deploy\/Containerfile/);
  // The settings of Holdall include the keys of the bucket, so no other container may get them.
  const [, database = ''] = /^ {2}database:\n((?: {4}.*\n)+)/m.exec(compose) ?? [];
  assert.match(database, /POSTGRES_PASSWORD/);
  assert.doesNotMatch(database, /env_file|S3/);
  assert.doesNotMatch(read('holdall.env.example'), /DATABASE|PASSWORD/);
  const single = read('compose-single.yaml');
  for (const name of ['holdall', 'backup']) assert.match(single, new RegExp(`^  ${name}:`, 'm'));
  for (const [, volume] of single.matchAll(/^ +- (\w+):\//gm))
    assert.match(single, new RegExp(`^  ${volume}:$`, 'm'));
  // Docker opens published ports to the network and bypasses the firewall, so the port must be on loopback.
  assert.match(single, /^ {6}- "127\.0\.0\.1:8080:8080"$/m);
  const upstream = [...read('nginx-compose.conf').matchAll(/server (\w+):8080/g)].map(([, name]) => name);
  assert.deepEqual(upstream, ['one', 'two']);
});

test('the Kubernetes objects are confined, and refer to existing ones', () => {
  const text = read('kubernetes.yaml');
  const objects = text.split(/^---$/m);
  const kinds = objects.map((object) => /^kind: (\w+)$/m.exec(object)?.[1]);
  assert.deepEqual(kinds, ['Secret', 'ConfigMap', 'Job', 'Deployment', 'PodDisruptionBudget', 'Service']);
  const named = new Set(objects.map((object) => /^metadata: \{ name: ([\w-]+) \}$/m.exec(object)?.[1]));
  assert.doesNotMatch(text, /\t|[&*]\w+$/m, 'an anchor ends with its object');
  const commands = readdirSync(path.join(root, 'server/src/cli/commands'));
  for (const object of objects.filter((each) => each.includes('containers:'))) {
    for (const [, name] of object.matchAll(/(?:configMapRef|secretRef): \{ name: ([\w-]+) \}/g)) {
      assert.ok(named.has(name), name);
    }
    for (const rule of [
      'runAsNonRoot: true',
      'allowPrivilegeEscalation: false',
      'readOnlyRootFilesystem: true',
      'automountServiceAccountToken: false',
      'drop: [ALL]',
    ]) {
      assert.ok(object.includes(rule), rule);
    }
    assert.ok(commands.includes(`${/args: \[(\w+)\]/.exec(object)?.[1]}.ts`));
  }
  const [, port] = /^ +HOLDALL_METRICS_ADDRESS: 0\.0\.0\.0:(\d+)$/m.exec(text) ?? [];
  assert.ok(text.includes(`{ name: metrics, containerPort: ${port} }`));
});

test('every nginx configuration logs only paths, without queries and secrets', () => {
  for (const file of readdirSync(deploy).filter((name) => /nginx.*\.conf$/.test(name))) {
    const config = read(file);
    assert.match(config, /^ {4}access_log \/var\/log\/nginx\/holdall\.log holdall;$/m, file);
    const formats = [...config.matchAll(/^log_format (\w+)([^;]*);/gm)];
    assert.deepEqual(
      formats.map(([, name]) => name),
      ['holdall'],
      file,
    );
    assert.doesNotMatch(
      formats[0]?.[2] ?? '',
      /\$(request|request_uri|uri|args|query_string|http_referer)\b/,
    );
    for (const [, target] of config.matchAll(/^ *access_log (\S+)/gm)) {
      assert.ok(target === 'off;' || target === '/var/log/nginx/holdall.log', `${file}: ${target}`);
    }
  }
});

test('nginx accepts the configuration for Docker Compose', async () => {
  const nginx = await startNginx(({ port }) =>
    read('nginx-compose.conf')
      .replace(/(one|two):8080/g, '127.0.0.1:1')
      .replace('/var/log/nginx/holdall.log', 'access.log')
      .replace('listen 80;', `listen 127.0.0.1:${port};`),
  );
  try {
    const answer = await fetch(new URL('/api/v2/shares/secret/import?password=secret', nginx.url));
    assert.equal(answer.status, 502);
    // nginx logs a request only after its response.
    let logged = '';
    while (logged === '') logged = await nginx.readAccesses();
    assert.match(logged, / "GET \/api\/v2\/shares\/-\/import HTTP\/1\.1" 502 /);
    assert.doesNotMatch(logged + (await nginx.readErrors()), /secret/);
  } finally {
    await nginx.stop();
  }
});

function linesAbout(text: string, units: readonly string[]): readonly string[] {
  return text.split('\n').filter((line) => units.some((unit) => line.includes(unit)));
}
