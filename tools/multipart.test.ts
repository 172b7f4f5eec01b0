// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frameFile } from './multipart.ts';

test('fields precede the file, and the tail closes the body', () => {
  const frame = frameFile({ fields: { path: '/docs' }, filename: 'a.txt' });
  const boundary = frame.contentType.replace('multipart/form-data; boundary=', '');
  assert.equal(
    frame.head.toString() + frame.tail.toString(),
    [
      `--${boundary}`,
      'Content-Disposition: form-data; name="path"',
      '',
      '/docs',
      `--${boundary}`,
      'Content-Disposition: form-data; name="file"; filename="a.txt"',
      'Content-Type: application/octet-stream',
      '',
      '',
      `--${boundary}--`,
      '',
    ].join('\r\n'),
  );
});

test('a file name is sent unchanged in UTF-8, with quotes as quoted pairs', () => {
  const { head } = frameFile({ fields: {}, filename: '50% "größe"; 目.txt' });
  assert.ok(head.includes(Buffer.from('filename="50% \\"größe\\"; 目.txt"')));
});
