import { Turns } from '../../base/concurrency/turns.ts';
import { decodeText, type Encoding } from './encodings.ts';

// The letters of each script, and those of them that are common in names.

type Script =
  | ('latin' | 'central' | 'turkish' | 'chinese' | 'japanese' | 'korean')
  | ('cyrillic' | 'greek' | 'hebrew' | 'arabic' | 'thai');

interface Letters {
  readonly letters: RegExp;
  /** The number of bytes per letter. */
  readonly width: number;
  /** Whether its words also contain ASCII letters. */
  readonly isLatin: boolean;
}

const SCRIPTS: Readonly<Record<Script, Letters>> = {
  latin: { letters: /[À-ÖØ-öø-ÿŒœŠšŸŽžªº]/u, width: 1, isLatin: true },
  central: { letters: /[À-ÖØ-öø-ſȘ-ț]/u, width: 1, isLatin: true },
  turkish: { letters: /[À-ÖØ-öø-ÿĞğİıŞş]/u, width: 1, isLatin: true },
  chinese: { letters: /\p{Script=Han}/u, width: 2, isLatin: false },
  japanese: { letters: /[\p{Script=Han}\u3041-\u3096\u30a1-\u30fc]/u, width: 2, isLatin: false },
  korean: { letters: /[\uac00-\ud7a3]/u, width: 2, isLatin: false },
  cyrillic: { letters: /[А-яЁё]/u, width: 1, isLatin: false },
  greek: { letters: /[Ά-ώ]/u, width: 1, isLatin: false },
  hebrew: { letters: /[א-ת]/u, width: 1, isLatin: false },
  arabic: { letters: /[ء-\u0652پچژگ]/u, width: 1, isLatin: false },
  thai: { letters: /[ก-ฺเ-๎]/u, width: 1, isLatin: false },
};

const HAN =
  '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运笔图片照像夹录档案单册合同简历议纪要旅游相音乐视频电影下载备份新建文档表格报告通知附件课件作业练习答案试卷版最终修改发票合集说明测试目录';
const HAN_TRADITIONAL =
  '這個們來為國說時會對後發過種學現當沒動還進樣開從實軍無與長機關點業將兩間問應戰頭體見產話給門員論處義條係氣題爾別變總電數報結務場計資統區隊決馬書聽達強難權設記張該規覺術領確傳師觀識帶導爭運筆圖錄檔案單冊議紀遊樂視頻載備檔報告通知說明測試資料夾照片會議新增文件';
const JAPANESE =
  '日一国会人年大十二本中長出三同時政事自行社見月分議後前民生連五発間対上部東者党地合市業内相方四定今回新場金員九入選立開手米力学問高代明実円関決子動京全目表戦経通外最言氏現理調体化田当八六約主題下首意法写真資料書類報告履歴';
const KOREAN =
  '이다는가을의에고하지기사로한도리인자보시서아나어대수정그일들있원전해장제상주부구동과신여명무공문라비소선화회마성치유안진오관산계경인조실업스트새더폴파의록음악사진보고서자료최종수정복사본한글민국학교년월회명단계획표목록공지항영첨부결과안내신청동양중소';

const COMMON: Readonly<Record<Script, ReadonlySet<string>>> = {
  latin: new Set('äöüßéèêàáâãåæøçñíóôõúùîïë'),
  central: new Set('ąćęłńóśźżáčďéěíňřšťúůýžäöüőűăâîșțşţđ'),
  turkish: new Set('ğışçöü'),
  chinese: new Set(HAN + HAN_TRADITIONAL),
  japanese: new Set([...JAPANESE, ...range(0x3041, 0x3093), ...range(0x30a1, 0x30f3), 'ー']),
  korean: new Set(KOREAN),
  cyrillic: new Set('оеаинтсрвлкмдпуяыьгзбчй'),
  greek: new Set('αοιετσνηυρπκμλςίόάέήύώγφχδθβ'),
  hebrew: new Set('אבדהוילמנרשתםקח'),
  // Some texts have all vowel marks.
  arabic: new Set('اليمنورتبسدكعهةحق\u064e\u064f\u0650\u0651\u0652'),
  thai: new Set('านรอกเงมยลวดทตสปบะคหแจพชขไใโ่้ิีัาุู็์'),
};

function range(from: number, to: number): readonly string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => String.fromCharCode(from + index));
}

// Guesses the encoding of a few short names. General detectors need hundreds of characters, and do not know
// the code pages of MS-DOS. So each encoding is tried, and the most plausible text wins.

/** Ordered by preference: among equally plausible texts the first one wins. */
const CANDIDATES: readonly (readonly [Encoding, Script])[] = [
  ['cp437', 'latin'],
  ['windows-1252', 'latin'],
  ['cp850', 'latin'],
  ['gb18030', 'chinese'],
  ['big5', 'chinese'],
  ['shift_jis', 'japanese'],
  ['euc-kr', 'korean'],
  ['euc-jp', 'japanese'],
  ['ibm866', 'cyrillic'],
  ['windows-1251', 'cyrillic'],
  ['koi8-r', 'cyrillic'],
  ['cp852', 'central'],
  ['windows-1250', 'central'],
  ['windows-1254', 'turkish'],
  ['windows-1253', 'greek'],
  ['windows-1255', 'hebrew'],
  ['windows-1256', 'arabic'],
  ['windows-874', 'thai'],
];

/** More bytes would not improve the guess. */
const MAX_BYTES = 8 * 1_024;

/** The most plausible encoding of names that are not UTF-8. */
export async function guessEncoding(names: Iterable<Uint8Array>): Promise<Encoding> {
  const bytes = sampleOf(names);
  const turns = new Turns();
  let best: Encoding = 'cp437';
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const [encoding, script] of CANDIDATES) {
    if (turns.isOver()) await turns.next();
    const score = scoreOf(decodeText(bytes, encoding), script);
    if (score > bestScore) [best, bestScore] = [encoding, score];
  }
  return best;
}

/** Takes each directory name once, although it is in the path of everything inside the directory. */
function sampleOf(names: Iterable<Uint8Array>): Buffer {
  const pieces = new Set<string>();
  let length = 0;
  for (const name of names) {
    for (const piece of Buffer.from(name.subarray(0, 512)).toString('latin1').split('/')) {
      if (length >= MAX_BYTES) break;
      if (!pieces.has(piece)) length += piece.length + 1;
      pieces.add(piece);
    }
    if (length >= MAX_BYTES) break;
  }
  return Buffer.from([...pieces].join('\n'), 'latin1');
}

/** The weight of characters that occur in no name of this encoding. */
const IMPOSSIBLE = -20;
const UNUSUAL = -3;

/** The penalty for rare encodings. Most of their letters are the same as in the western encodings. */
const RARE = -0.5;

function scoreOf(text: string, script: Script): number {
  const { letters, width } = SCRIPTS[script];
  const common = COMMON[script];
  let score = script === 'central' || script === 'turkish' ? RARE : 0;
  let previous = '';
  for (const character of text) {
    if (character > '\u007f') {
      if (!isPossible(character)) score += IMPOSSIBLE;
      else if (letters.test(character)) {
        score +=
          (common.has(character.toLowerCase()) ? 1.5 : 0.5) * width + joinScore(previous, character, script);
      } else score += PUNCTUATION.test(character) ? 0.2 : UNUSUAL;
    } else if (previous > '\u007f' && script !== 'latin' && isMixed(previous, character, script)) {
      score -= 1.5;
    }
    previous = character;
  }
  return score;
}

// Dashes, quotation marks and signs that people write in names.
const PUNCTUATION = /[–—‘’“”…€£§©®°·«»№½¼¾²³、。〈-】（）！，－：；？～［］｛｝＆＋]/u;

function isPossible(character: string): boolean {
  return !/[\ufffd\u0080-\u009f\p{Co}\p{Cn}]/u.test(character);
}

function isMixed(one: string, other: string, script: Script): boolean {
  const { letters, isLatin } = SCRIPTS[script];
  return !isLatin && letters.test(one) && /[a-z]/i.test(other);
}

/**
 * Scores two adjacent characters. Letters of other scripts are rarely next to ASCII letters. Capitals rarely
 * follow small letters, and accented Latin letters rarely follow each other.
 */
function joinScore(previous: string, character: string, script: Script): number {
  const { letters, isLatin } = SCRIPTS[script];
  if (isMixed(character, previous, script)) return -1.5;
  if (character !== character.toLowerCase() && previous !== previous.toUpperCase()) return -1.5;
  return isLatin && letters.test(previous) ? -0.7 : 0;
}
