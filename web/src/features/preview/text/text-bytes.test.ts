// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromText, isWritable, toText } from './text-bytes.ts';
import { ENCODINGS, type Encoding } from './text-encodings.ts';

const bytesOf = (text: string, encoding: BufferEncoding) => new Uint8Array(Buffer.from(text, encoding));

test('text is read in its encoding', async () => {
  assert.equal((await toText(bytesOf('Grüße, 夏', 'utf8'), false))?.text, 'Grüße, 夏');
  assert.equal((await toText(bytesOf('\ufeffGrüße', 'utf8'), false))?.text, 'Grüße');
  assert.equal((await toText(bytesOf('\ufeffGrüße', 'utf16le'), false))?.text, 'Grüße');
  assert.equal((await toText(bytesOf('Grüße', 'latin1'), false))?.text, 'Grüße');
});

test('a character that is cut off at the end is left out', async () => {
  assert.equal((await toText(bytesOf('夏天', 'utf8').slice(0, 4), true))?.text, '夏');
});

test('binary content is not shown as text', async () => {
  for (const bytes of [
    [80, 75, 3, 4, 0, 0],
    [1, 2, 3],
    [0x80, 0x9d, 3, 0xff, 4, 0xc3],
    [1, 0, 2, 0, 3, 0, 4, 0],
    [0, 0, 0, 0],
  ])
    assert.equal(await toText(new Uint8Array(bytes), false), undefined, String(bytes));
});

test('edited text keeps its byte order mark and line endings', async () => {
  for (const content of ['', 'one\ntwo', 'one\r\ntwo\r\n', '\ufeffGrüße\r\n', '夏\n']) {
    const found = await toText(bytesOf(content, 'utf8'), false);
    assert.ok(found !== undefined && isWritable(found), JSON.stringify(content));
    assert.ok(!found.text.includes('\r'));
    assert.equal(fromText(found.text, found.form), content);
  }
});

test('text cannot be edited if saving would change other parts of it', async () => {
  for (const bytes of [
    bytesOf('one\r\ntwo\n', 'utf8'),
    bytesOf('a\rb', 'utf8'),
    bytesOf('Grüße', 'latin1'),
  ]) {
    const found = await toText(bytes, false);
    assert.ok(found !== undefined && !isWritable(found));
  }
});

/** Encodes a text in a single-byte or double-byte encoding, with a table made by decoding all byte values. */
function encode(text: string, encoding: Encoding): Uint8Array<ArrayBuffer> {
  const bytes = new Map<string, readonly number[]>();
  const decoder = new TextDecoder(encoding, { fatal: true });
  const add = (...candidate: number[]) => {
    try {
      const character = decoder.decode(new Uint8Array(candidate));
      if (!bytes.has(character)) bytes.set(character, candidate);
    } catch {
      // These bytes are not a character.
    }
  };
  for (let first = 0; first < 256; first += 1) add(first);
  const isDouble = !/^(?:windows|koi8|ibm)/.test(encoding);
  for (let first = 0x81; isDouble && first < 255; first += 1)
    for (let second = 0x40; second < 255; second += 1) add(first, second);
  return new Uint8Array([...text].flatMap((character) => bytes.get(character) ?? assert.fail(character)));
}

const TEXTS: readonly (readonly [Encoding, readonly string[]])[] = [
  ['gb18030', ['会议记录', '姓名,年龄\n张三,30\n李四,25', '今天天气很好，我们去公园散步。']],
  ['big5', ['會議記錄', '今天天氣很好，我們去公園散步。']],
  ['shift_jis', ['会議の記録です', 'データ,値\n1,2']],
  ['euc-jp', ['会議の記録です', 'こんにちは、世界。']],
  ['euc-kr', ['회의 기록', '오늘은 날씨가 좋습니다.']],
  ['windows-1251', ['Протокол собрания', 'Привет, мир. Сегодня хорошая погода.']],
  ['ibm866', ['Протокол собрания', 'Привет, мир. Сегодня хорошая погода.']],
  ['koi8-r', ['Протокол собрания', 'Доброе утро, мир. Сегодня хорошая погода.']],
  ['windows-1250', ['Příliš žluťoučký kůň úpěl ďábelské ódy', 'Zażółć gęślą jaźń']],
  ['windows-1252', ['Grüße', 'naïve café, Größe: 12 €', '“quoted” – text', 'élève à l’école', '30 °C ± 2']],
  ['windows-1253', ['Καλημέρα κόσμε']],
  ['windows-1254', ['Günaydın, İstanbul şehri']],
  ['windows-1255', ['שלום עולם']],
  ['windows-1256', ['مرحبا بالعالم']],
  ['windows-1257', ['Ąžuolas ir šaltinis']],
];

test('text in a national encoding is recognised', async () => {
  for (const [encoding, texts] of TEXTS)
    for (const text of texts) {
      const found = await toText(encode(text, encoding), false);
      assert.equal(found?.text, text, `${encoding}, read as ${found?.form.encoding}`);
      assert.ok(found.form.isGuess && !isWritable(found));
    }
});

test('the encoding of a long text is detected from letters far from its beginning', async () => {
  const bytes = encode(`${'a line of a log\n'.repeat(10_000)}今天天气很好，我们去公园散步。`, 'gb18030');
  assert.equal((await toText(bytes, false))?.form.encoding, 'gb18030');
});

test('the encoding that a page declares is used', async () => {
  for (const [label, encoding] of [
    ['gb2312', 'gb18030'],
    ['ISO-8859-9', 'windows-1254'],
    ['windows-1250', 'windows-1250'],
  ]) {
    const bytes = new Uint8Array([...bytesOf(`<meta charset="${label}">`, 'latin1'), 0xdd, 0xfc]);
    assert.equal((await toText(bytes, false))?.form.encoding, encoding);
  }
});

test('Japanese mail is recognised by its escape sequences', async () => {
  const mail = new Uint8Array([0x1b, 0x24, 0x42, 0x32, 0x71, 0x35, 0x44, 0x1b, 0x28, 0x42, 0x0a]);
  assert.equal((await toText(mail, false))?.text, '会議\n');
});

test('an encoding can be chosen', async () => {
  const bytes = encode('Ünlü', 'windows-1254');
  for (const encoding of ENCODINGS)
    assert.equal((await toText(bytes, true, encoding))?.form.encoding, encoding);
  const found = await toText(bytes, false, 'utf-8');
  assert.ok(found !== undefined && !isWritable(found), 'a wrong choice must not be stored');
});

test('UTF-16 and UTF-32 are read with and without a mark', async () => {
  const text = 'Windows Registry Editor\n会议 😀\n';
  const swap = (bytes: Uint8Array<ArrayBuffer>) => new Uint8Array(Buffer.from(bytes).swap16());
  const wide = (content: string) =>
    new Uint8Array(Uint32Array.from(content, (character) => character.codePointAt(0) ?? 0).buffer);
  const swapWide = (bytes: Uint8Array<ArrayBuffer>) => new Uint8Array(Buffer.from(bytes).swap32());
  for (const mark of ['', '\ufeff']) {
    const [little, wideLittle] = [bytesOf(mark + text, 'utf16le'), wide(mark + text)];
    for (const bytes of [little, swap(little), wideLittle, swapWide(wideLittle)])
      assert.equal((await toText(bytes, false))?.text, text);
  }
});

test('a log is shown even if a crash has left zeros in it', async () => {
  const found = await toText(bytesOf('before\n\0\0\0\0after\n', 'utf8'), false);
  assert.equal(found?.text, 'before\n␀after\n');
  assert.ok(found !== undefined && !isWritable(found));
});
