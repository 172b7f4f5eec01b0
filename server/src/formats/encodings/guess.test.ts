// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import iconv from 'iconv-lite';
import { decodeFileName, type Encoding } from './encodings.ts';
import { guessEncoding } from './guess.ts';

/** The names in some archives, by the encoding that their archiver used. Each list is one archive. */
const NAMES: Partial<Readonly<Record<Encoding, readonly (readonly string[])[]>>> = {
  gb18030: [
    ['会议记录.txt'],
    ['中文'],
    ['新建文件夹/照片.jpg', '报告.doc'],
    ['二〇二〇年度财务预算（终稿）.xlsx'],
  ],
  big5: [['會議記錄.txt'], ['中文'], ['台灣大學.pdf'], ['履歷表.doc']],
  shift_jis: [['テスト.txt'], ['日本語'], ['会議資料.doc'], ['ソフト.txt']],
  'euc-jp': [['新しいフォルダー/写真.jpg']],
  'euc-kr': [['한글.txt'], ['회의록.doc'], ['새 폴더/사진.jpg'], ['대한민국.txt']],
  ibm866: [['Привет.txt'], ['Новая папка/фото.jpg'], ['ОТЧЕТ.DOC']],
  'windows-1251': [['Привет.txt'], ['Новая папка/фото.jpg'], ['ОТЧЕТ.DOC']],
  'koi8-r': [['Привет.txt'], ['Новая папка/фото.jpg'], ['тест']],
  'windows-1252': [['Größe.txt'], ['café.txt'], ['São Paulo'], ['Blå bær.txt'], ['Prüfung – Lösung.pdf']],
  cp850: [['Größe.txt'], ['Blå bær.txt'], ['Fête de Noël']],
  cp437: [['Größe ½.txt'], ['Größe ½/', 'Größe ½/er/', 'Größe ½/er/file.bin'], ['ü.t'], ['Año.jpg']],
  cp852: [['Žluťoučký kůň.txt'], ['zażółć gęślą jaźń']],
  'windows-1250': [['Žluťoučký kůň.txt'], ['Árvíztűrő tükörfúrógép']],
  'windows-1253': [['Καλημέρα.txt']],
  'windows-1254': [['Türkçe değişiklik.txt']],
  'windows-1256': [['مرحبا.txt']],
  'windows-874': [['เอกสาร']],
};

for (const [encoding, archives] of Object.entries(NAMES)) {
  test(`names in ${encoding} are read as they were written`, async () => {
    for (const names of archives) {
      const bytes = names.map((name) => iconv.encode(name, encoding));
      const guessed = await guessEncoding(bytes);
      assert.deepEqual(
        bytes.map((one) => decodeFileName(one, guessed)),
        names,
      );
    }
  });
}

test('bytes that are valid in no encoding are decoded with replacement characters', () => {
  assert.equal(decodeFileName(Buffer.from([0x61, 0xff]), 'utf-8'), 'a\ufffd');
  assert.equal(decodeFileName(Buffer.from([0x01, 0x81]), 'cp437'), '☺ü');
});
