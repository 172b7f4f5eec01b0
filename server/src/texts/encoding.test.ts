// tier: default
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import iconv from 'iconv-lite';
import { decodePlainText, isReadable } from './encoding.ts';

const TEXTS: Readonly<Record<string, readonly string[]>> = {
  'Die Prüfung der Größe erfolgt später.\nÄußerst schön, 20 € je Stück.\n': [
    ...['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'],
  ],
  '会议记录\n二〇二六年度财务预算（终稿），请查收。\n': ['utf-8', 'utf-16le', 'gb18030'],
  '會議記錄\n台灣大學的履歷表，請查收。\n': ['utf-8', 'big5'],
  '会議の資料です。\n新しいフォルダーに写真があります。\n': ['utf-8', 'shift_jis', 'euc-jp', 'utf-16be'],
  '회의록\n대한민국 서울에서 보낸 자료입니다.\n': ['utf-8', 'euc-kr'],
  'كَتَبَتْ كُلَّ يَوْمٍ أَسْماءَ الطُّيُورِ في دَفْتَرٍ صَغيرٍ.\n': ['utf-8', 'windows-1256'],
  'مرحبا بكم في الاجتماع\nهذا تقرير المشروع\n': ['utf-8', 'windows-1256', 'utf-16le'],
  'Привет, это отчёт о встрече.\nНовая папка с фото.\n': ['utf-8', 'windows-1251', 'koi8-r'],
};

describe('plain text', () => {
  for (const [text, encodings] of Object.entries(TEXTS)) {
    for (const encoding of encodings) {
      test(`in ${encoding} is decoded: ${text.slice(0, 6).trim()}`, async () => {
        for (const addBOM of encoding.startsWith('utf') ? [true, false] : [false]) {
          const bytes = iconv.encode(text, encoding, { addBOM });
          assert.ok(isReadable(bytes));
          assert.equal(await decodePlainText(bytes), text);
        }
      });
    }
  }

  test('in UTF-32 is decoded if it has a mark', async () => {
    for (const encoding of ['utf-32le', 'utf-32be']) {
      const bytes = iconv.encode('Größe 🎉', encoding, { addBOM: true });
      assert.equal(await decodePlainText(bytes), 'Größe 🎉');
    }
  });

  test('in ISO-2022-JP is decoded by its escape sequences', async () => {
    const bytes = Buffer.from('\x1b$B2q5D\x1b(B 2026\n', 'latin1');
    assert.equal(await decodePlainText(bytes), '会議 2026\n');
  });

  test('is decoded as declared only if the bytes are not UTF-8', async () => {
    const hints = { declared: 'windows-1253' };
    assert.equal(await decodePlainText(Buffer.from([0xe1, 0xe2, 0xe3]), hints), 'αβγ');
    assert.equal(await decodePlainText(Buffer.from('Größe'), hints), 'Größe');
    assert.equal(await decodePlainText(Buffer.from([0x67, 0xf6]), { declared: 'no-such-thing' }), 'gö');
  });

  test('is decoded by its other characters, wherever they are', async () => {
    const ascii = 'plain ascii line\n'.repeat(8_000);
    for (const [encoding, line] of [
      ['windows-1252', 'Größe Müller\nzwei\n'],
      ['gb18030', '二〇二六年度财务预算（终稿），请查收。\n'],
      ['shift_jis', '会議の資料です\n'],
      ['koi8-r', 'Новая папка с фото\n'],
    ] as const) {
      const bytes = Buffer.concat([Buffer.from(ascii), iconv.encode(line, encoding)]);
      assert.equal((await decodePlainText(bytes)).slice(ascii.length), line);
      // In a single long line.
      const long = Buffer.concat([Buffer.alloc(100_000, 'a '), iconv.encode(line, encoding)]);
      assert.equal((await decodePlainText(long)).slice(100_000), line);
    }
  });

  test('in CP437 keeps its lines', async () => {
    const text = 'Grüße an alle\nline two\r\nline three\tFörde\n';
    assert.equal(await decodePlainText(iconv.encode(text, 'cp437')), text);
  });

  test('in UTF-8 with a few invalid bytes is still UTF-8', async () => {
    const lines = '会议记录 Größe\n'.repeat(50);
    const bytes = Buffer.concat([Buffer.from(lines), Buffer.from([0xe4, 0x0a]), Buffer.from(lines)]);
    for (const hints of [{}, { declared: 'utf-8' }, { declared: 'windows-1252' }])
      assert.equal(await decodePlainText(bytes, hints), `${lines}\ufffd\n${lines}`);
    const short = Buffer.from([0x67, 0xf6, 0x0a]);
    assert.equal(await decodePlainText(short, { declared: 'utf-8' }), 'g\ufffd\n');
    assert.equal(await decodePlainText(short), 'gö\n');
  });

  test('in UTF-8 may contain the escape sequence of Japanese mail', async () => {
    assert.equal(await decodePlainText(Buffer.from('Größe \x1b$B ok')), 'Größe \x1b$B ok');
  });

  test('in UTF-16 without a mark may have characters with a zero lower byte', async () => {
    for (const text of ['第一章 会议', '一\u3000会议の資料', '一、\n二、', '一一 一', 'Ā Größe']) {
      for (const encoding of ['utf-16le', 'utf-16be']) {
        const bytes = iconv.encode(text, encoding, { addBOM: false });
        assert.ok(isReadable(bytes), text);
        assert.equal(await decodePlainText(bytes), text, encoding);
      }
    }
  });

  test('that was cut within a character is still UTF-8', async () => {
    const bytes = Buffer.from('Übung 会').subarray(0, -1);
    assert.equal(await decodePlainText(bytes, { isCut: true }), 'Übung \ufffd');
    // A whole file with the same bytes is in another encoding.
    assert.notEqual(await decodePlainText(bytes), 'Übung \ufffd');
  });
});

test('binary files are not readable', () => {
  for (const hex of [
    '00000000',
    '7f454c4602010100',
    '1f8b0800000000000003',
    'cafebabe0000003d',
    '0102030405',
  ])
    assert.equal(isReadable(Buffer.from(hex, 'hex')), false, hex);
  assert.equal(isReadable(Buffer.from('a log with a zero\0')), false);
});
