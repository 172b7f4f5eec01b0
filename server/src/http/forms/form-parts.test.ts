// tier: default
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '../../../../tools/testing/fast-check.ts';
import { Failure } from '../../base/failure.ts';
import { FormParts } from './form-parts.ts';
import type { PartHead } from './part-head.ts';

interface Part {
  readonly head: PartHead;
  readonly content: Buffer;
}

const TYPE = 'multipart/form-data; boundary=B';
const FIELD = 'content-disposition: form-data; name="a"';

describe('FormParts', () => {
  it('reads the same parts for any contents, however the body is split into chunks', async () => {
    // Pieces of delimiters, so that contents often look like the beginning of one.
    const piece = fc.constantFrom('\r', '\n', '\r\n', '-', '--', 'B', '\r\n-', '\r\n--', 'x', '');
    const content = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    const cuts = fc.array(fc.nat(400), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(fc.array(content, { maxLength: 4 }), cuts, fc.boolean(), async (contents, at, all) => {
        const sent = contents.map((each) => each.replaceAll('\r\n--B', 'x'));
        const body = toBody(sent.map((each) => `${FIELD}\r\n\r\n${each}`));
        const parts = await readAll(body, all ? Array.from({ length: body.length }, (_, i) => i) : at);
        assert.deepEqual(
          parts.map((part) => part.content.toString()),
          sent,
        );
      }),
    );
  });

  it('passes on chunks inside a part without copying them', async () => {
    const middle = Buffer.from('in the middle');
    const frame = toBody([`${FIELD}\r\n\r\n<>`]);
    const at = frame.indexOf('>');
    const parts = new FormParts(TYPE, send([frame.subarray(0, at), middle, frame.subarray(at)]));
    await parts.next();
    const chunks: Uint8Array[] = [];
    for await (const chunk of parts.bytes()) chunks.push(chunk);
    assert.equal(chunks[1]?.buffer, middle.buffer);
    assert.equal(Buffer.concat(chunks).toString(), '<in the middle>');
  });

  it('skips bytes before the first part and after the last one, up to a limit', async () => {
    const parts = toBody([`${FIELD}\r\n\r\n1`]);
    const surrounded = (bytes: number) =>
      Buffer.concat([Buffer.alloc(bytes), Buffer.from('\r\n'), parts, Buffer.alloc(bytes)]);
    assert.equal((await readAll(surrounded(60_000))).length, 1);
    await assertMalformed(surrounded(70_000));
    await assertMalformed(Buffer.concat([parts, Buffer.alloc(70_000)]));
  });

  it('reads the name, the file name and the types of a part', async () => {
    const heads: readonly (readonly [string, Partial<PartHead>])[] = [
      [FIELD, { name: 'a', fileName: undefined, isFile: false, contentType: 'text/plain', charset: 'utf-8' }],
      ['Content-Disposition:form-data;name=a', { name: 'a' }],
      ['CONTENT-DISPOSITION: FORM-DATA ; NAME = "a"', { name: 'a' }],
      [
        `X: y\r\n${FIELD}\r\nContent-Type: Text/CSV; Charset=latin1`,
        { contentType: 'text/csv', charset: 'latin1' },
      ],
      [`${FIELD}\r\ncontent-type: application/octet-stream`, { isFile: true, fileName: undefined }],
      [`${FIELD}; filename=""`, { isFile: true, fileName: '' }],
      [`${FIELD}; filename="ü; \\"\\\\ \\x=1"`, { fileName: 'ü; "\\ \\x=1' }],
      [`${FIELD}; filename="a/b"; filename="c"`, { fileName: 'a/b' }],
      [`${FIELD}; filename="_"; filename*=UTF-8''%C3%BC%20x`, { fileName: 'ü x' }],
      [`${FIELD}; filename="_"; filename*=UTF-8''%C3`, { fileName: '_' }],
      [`${FIELD}; filename="_"; filename*=iso-8859-1'de'Gr%F6%DFe`, { fileName: 'Größe' }],
      [`${FIELD}; filename="a%22b%2541"`, { fileName: 'a"b%2541' }],
      [`${FIELD};`, { name: 'a' }],
    ];
    for (const [head, expected] of heads) {
      const [part] = await readAll(toBody([`${head}\r\n\r\n`]));
      for (const [key, value] of Object.entries(expected)) {
        assert.equal(part?.head[key as keyof PartHead], value, `${key} of ${head}`);
      }
    }
  });

  it('accepts blanks after a boundary, and a boundary in quotes', async () => {
    const body = `--a b \t\r\n${FIELD}\r\n\r\n1\r\n--a b--`;
    const parts = new FormParts('multipart/form-data; boundary="a b"', send([Buffer.from(body)]));
    assert.equal((await parts.next())?.name, 'a');
    assert.equal(await parts.next(), undefined);
  });

  const faults: Readonly<Record<string, string>> = {
    'no part': '',
    'no end': `--B\r\n${FIELD}\r\n\r\n1\r\n`,
    'half an end': `--B\r\n${FIELD}\r\n\r\n1\r\n--B-`,
    'an end in a head': `--B\r\n${FIELD}\r\n`,
    'a part without a head': '--B\r\n\r\n1\r\n--B--',
    'a part without a name': '--B\r\ncontent-disposition: form-data\r\n\r\n1\r\n--B--',
    'a part that is no form data': '--B\r\ncontent-disposition: attachment; name="a"\r\n\r\n1\r\n--B--',
    'a quote that does not end': '--B\r\ncontent-disposition: form-data; name="a\\"\r\n\r\n1\r\n--B--',
    'a line feed in a head': `--B\r\n${FIELD}\nx: y\r\n\r\n1\r\n--B--`,
    'a longer boundary': `--Bx\r\n${FIELD}\r\n\r\n1\r\n--B--`,
    'a head that is too long': `--B\r\n${FIELD}\r\nx: ${'y'.repeat(20_000)}\r\n\r\n1\r\n--B--`,
  };
  for (const [what, body] of Object.entries(faults)) {
    it(`rejects ${what}`, () => assertMalformed(Buffer.from(body)));
  }

  it('rejects a name that is not UTF-8, since decoding would change it', () =>
    assertMalformed(Buffer.from(`--B\r\n${FIELD}; filename="\xff"\r\n\r\n1\r\n--B--`, 'latin1')));

  it('rejects a form without a boundary, or with one that is too long', () => {
    for (const type of ['', '; boundary=', '; boundary', `; boundary=${'x'.repeat(71)}`]) {
      assert.throws(() => new FormParts(`multipart/form-data${type}`, send([])), Failure, type);
    }
  });
});

function toBody(parts: readonly string[]): Buffer {
  return Buffer.from(`${parts.map((part) => `--B\r\n${part}\r\n`).join('')}--B--\r\n`);
}

async function readAll(body: Buffer, cuts: readonly number[] = []): Promise<Part[]> {
  const places = [...cuts.filter((at) => at < body.length), body.length].sort((a, b) => a - b);
  const chunks = places.map((at, index) => body.subarray(places[index - 1] ?? 0, at));
  const parts = new FormParts(TYPE, send(chunks));
  const found: Part[] = [];
  for (let head = await parts.next(); head !== undefined; head = await parts.next()) {
    const content: Uint8Array[] = [];
    for await (const chunk of parts.bytes()) content.push(chunk);
    found.push({ head, content: Buffer.concat(content) });
  }
  return found;
}

async function assertMalformed(body: Buffer): Promise<void> {
  await assert.rejects(readAll(body), (error) => error instanceof Failure && error.kind === 'invalid');
}

async function* send(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
