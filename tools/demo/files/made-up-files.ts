import { fileFromText, generatedFile, type SourceFile, type SourceTree } from './source-file.ts';

const DEEP_LEVELS = 30;
const MAX_NAME_BYTES = 255;

const NFC = 'Übergrößenträger café';

/** Names that break drives: every one of them has broken one. */
const NAMES: readonly string[] = [
  `NFC ${NFC}.txt`.normalize('NFC'),
  `NFD ${NFC}.txt`.normalize('NFD'),
  'Angstrom sign \u212b and Kelvin sign \u212a.txt',
  'family \u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466} and flag \u{1f3f3}\ufe0f\u200d\u{1f308}.png',
  'מסמך חשוב.txt',
  'وثيقة مهمة ١٢٣.txt',
  'mixed עברית and English \u200f(1).txt',
  '日本語のファイル名.txt',
  '中文文件 𠮷野家.txt',
  '한국어 파일 이름.txt',
  'สวัสดีชาวโลก.txt',
  'Z\u0351\u036b\u0343a\u0321\u0354l\u0346\u0332g\u0327o\u0331 combining.txt',
  'Capital İ and ı and ß and ẞ and ς.txt',
  'zero\u200bwidth\ufefftext.txt',
  ' leading blank.txt',
  'trailing blank ',
  'two  blanks   three.txt',
  'no\u00a0break\u3000wide.txt',
  '"double" and \'single\' quotes.txt',
  '“typographic” ‘quotes’.txt',
  '100% sure %41 %2e%2e %zz.txt',
  'a+b=c & d?.txt',
  '#1 hash.txt',
  'semi;colon, comma; filename=evil.txt',
  'colon: star* pipe| less< more>.txt',
  '$(touch gone) `id` $HOME ~.txt',
  '{curly} [square] (round) ^caret.txt',
  '-rf',
  '--help',
  '.hidden',
  '...',
  '..two dots first',
  'expires with dot.',
  'no extension',
  'many.dots.in.a.name.tar.gz',
  'CON',
  'nul.txt',
  'desktop.ini',
  'Case.txt',
  'case.txt',
  "'; DROP TABLE entry; --.txt",
  '<script>alert(1)<script>.html',
  '0',
  'null',
  'undefined',
  '__proto__',
  'constructor',
];

/** The generated part of the tree: odd names for files and directories, depth, length, emptiness. */
export function makeUpFiles(): SourceTree {
  return {
    files: [
      ...NAMES.map((name) => fileFromText(`odd names/${name}`, `This is ${name}\n`)),
      ...NAMES.map((name) => fileFromText(`odd directories/${name}/inside.txt`, `Inside ${name}\n`)),
      ...longNames().map((name) => fileFromText(`long names/${name}`, `${name.length} characters\n`)),
      ...deepFiles(),
      ...Array.from({ length: 20 }, (_, index) => fileFromText(`empty files/empty ${index}`, '')),
      ...sizesAroundBoundaries(),
    ],
    directories: [
      ...Array.from({ length: 10 }, (_, index) => `empty directories/empty ${index}`),
      ...NAMES.map((name) => `odd empty directories/${name}`),
      `${deepPath(DEEP_LEVELS)}/empty at the bottom`,
    ],
  };
}

/** Plain small files, to reach a number if the machine has few files. */
export function makeFillers(count: number): readonly SourceFile[] {
  return Array.from({ length: Math.max(0, count) }, (_, index) =>
    fileFromText(`fillers/group ${index % 40}/filler ${index}.txt`, `${'filler '.repeat(index % 300)}\n`),
  );
}

// Exactly 255 bytes, which are 255, 127, 85 and 63 characters.
function longNames(): readonly string[] {
  return ['a', 'ü', '長', '\u{1f600}'].map((character) => {
    const ending = '.txt';
    const times = Math.floor((MAX_NAME_BYTES - ending.length) / Buffer.byteLength(character));
    const name = character.repeat(times) + ending;
    return 'x'.repeat(MAX_NAME_BYTES - Buffer.byteLength(name)) + name;
  });
}

function deepFiles(): readonly SourceFile[] {
  return Array.from({ length: DEEP_LEVELS }, (_, index) =>
    fileFromText(`${deepPath(index + 1)}/at level ${index + 1}.txt`, `level ${index + 1}\n`),
  );
}

function deepPath(levels: number): string {
  return ['deep', ...Array.from({ length: levels - 1 }, (_, index) => `level ${index + 2} ↓`)].join('/');
}

// One byte below, at and above the sizes of buffers and blocks.
function sizesAroundBoundaries(): readonly SourceFile[] {
  return [1, 512, 4_096, 16_384, 65_536, 1_048_576].flatMap((size) =>
    [size - 1, size, size + 1].map((bytes) =>
      generatedFile(`sizes/${size}/${bytes} bytes.bin`, bytes, bytes % 251),
    ),
  );
}
