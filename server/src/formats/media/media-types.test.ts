// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toMediaType } from '../../base/text/media-type.ts';
import { mediaTypeOf } from './media-types.ts';

const known: Record<string, string> = {
  'app.apk': 'application/vnd.android.package-archive',
  'app.ipa': 'application/x-ios-app',
  'holiday.JPG': 'image/jpeg',
  'picture.heic': 'image/heic',
  'picture.webp': 'image/webp',
  'drawing.svg': 'image/svg+xml',
  'raw.cr2': 'image/x-canon-cr2',
  'raw.dng': 'image/x-adobe-dng',
  'film.mp4': 'video/mp4',
  'film.mkv': 'video/x-matroska',
  'film.mov': 'video/quicktime',
  'song.mp3': 'audio/mpeg',
  'song.flac': 'audio/flac',
  'song.m4a': 'audio/mp4',
  'paper.pdf': 'application/pdf',
  'letter.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'sheet.ods': 'application/vnd.oasis.opendocument.spreadsheet',
  'book.epub': 'application/epub+zip',
  'notes.md': 'text/markdown',
  'table.csv': 'text/csv',
  'page.html': 'text/html',
  'main.rs': 'text/plain',
  'run.sh': 'text/plain',
  'code.ts': 'text/plain',
  'film.m2ts': 'video/mp2t',
  'film.MTS': 'video/mp2t',
  'film.mod': 'video/mpeg',
  'go.mod': 'text/plain',
  'film.dv': 'video/x-dv',
  'film.insv': 'video/mp4',
  'song.ape': 'audio/x-ape',
  'song.mpc': 'audio/x-musepack',
  'tone.m4r': 'audio/mp4',
  'list.m3u': 'application/vnd.apple.mpegurl',
  'both.mpo': 'image/jpeg',
  'old.jif': 'image/jpeg',
  'round.insp': 'image/jpeg',
  'canon.hif': 'image/heif',
  'raw.pef': 'image/x-pentax-pef',
  'raw.srw': 'image/x-samsung-srw',
  'raw.nrw': 'image/x-nikon-nrw',
  'raw.crw': 'image/x-canon-crw',
  'raw.x3f': 'image/x-sigma-x3f',
  'raw.dcr': 'image/x-kodak-dcr',
  'raw.iiq': 'image/x-phaseone-iiq',
  'large.psb': 'image/vnd.adobe.photoshop',
  'app.aab': 'application/x-android-app-bundle',
  'plan.mpp': 'application/vnd.ms-project',
  'index.php': 'text/plain',
  'module.cjs': 'text/javascript',
  'backup.zip': 'application/zip',
  'backup.tar.gz': 'application/gzip',
  'backup.tgz': 'application/gzip',
  'backup.7z': 'application/x-7z-compressed',
  'dir.with.dots/名前.png': 'image/png',
};

for (const [name, type] of Object.entries(known)) {
  test(`${name} is ${type}`, () => {
    assert.equal(mediaTypeOf(name), type);
    assert.equal(toMediaType(type), type);
  });
}

for (const name of ['README', 'zip', '.png', 'file.', 'file.no-such-kind', 'a.b c', '']) {
  test(`"${name}" has no known type`, () => assert.equal(mediaTypeOf(name), null));
}
