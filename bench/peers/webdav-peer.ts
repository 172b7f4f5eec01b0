// The peers for the WebDAV figures: Apache's mod_dav and `rclone serve webdav`, without a login, on the files
// in DIRECTORY/files. Run as `webdav-peer.ts DIRECTORY apache|rclone`. The process becomes that program, so
// that its processor time can be read from this process id.
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findFreePorts } from '../../tools/processes/free-ports.ts';
import { findProgram } from '../../tools/programs/debian-packages.ts';

const MODULES = '/usr/lib/apache2/modules';
/** Apache refuses to serve as root. */
const NOBODY = 65534;

const [directory = '.', program = ''] = process.argv.slice(2);
const files = path.join(directory, 'files');
const address = `127.0.0.1:${await findFreePorts(1)}`;
mkdirSync(files);
const command = program === 'apache' ? apache() : rclone();
const [file = ''] = command;
const executable = findProgram(file);
if (executable === undefined || process.execve === undefined)
  throw new Error(`Nothing can run ${file} here.`);
// This is a little too early, but the client tries again until the program listens.
process.stdout.write(`listening on http://${address}\n`);
process.execve(executable, [...command], { PATH: process.env.PATH ?? '' });

function rclone(): readonly string[] {
  return ['rclone', 'serve', 'webdav', files, '--addr', address, '--config', '/dev/null'];
}

/** The command for an Apache with one process, which serves one connection at a time. */
function apache(): readonly string[] {
  chmodSync(directory, 0o755);
  if (process.getuid?.() === 0) for (const owned of [directory, files]) chownSync(owned, NOBODY, NOBODY);
  const modules = ['mpm_prefork', 'authz_core', 'dav', 'dav_fs'];
  const lines = [
    ...modules.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`),
    ...['ServerName localhost', `Listen ${address}`, 'User nobody', 'Group nogroup'],
    ...[`PidFile ${directory}/pid`, `ErrorLog ${directory}/errors.log`, `DavLockDB ${directory}/locks`],
    ...[`DocumentRoot ${files}`, 'KeepAlive On', 'MaxKeepAliveRequests 0', 'KeepAliveTimeout 60'],
    ...[`<Directory ${files}>`, 'Dav On', 'Require all granted', '</Directory>'],
  ];
  const config = path.join(directory, 'apache.conf');
  writeFileSync(config, `${lines.join('\n')}\n`);
  return ['apache2', '-X', '-d', directory, '-f', config];
}
