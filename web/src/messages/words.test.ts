// tier: default
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

/** A pattern that no text may match, and what to write instead. */
type Rule = readonly [forbidden: RegExp, instead: string];

const ENGLISH: readonly Rule[] = [
  [/\bentr(y|ies)\b/i, 'people read "item"; "entry" is a word of the code'],
  [/\b(any|some|no)body\b/i, 'anyone, someone, no one'],
  [/\bcannot\b/i, "can't"],
  [/\b(is|are|was|were|do|does|did|has|have|had|could|would|should|will|must) not\b/i, 'a contraction'],
  [/\b(it|that|there|what) is \w|\b(you|they|we) (are|will) \w/i, 'a contraction'],
  [/\bgo on\b/i, 'continue'],
  [/\balone\b/i, 'only'],
  [/\bprograms?\b/i, 'app, as in "app password"'],
  [/\b(the|this|our) service\b/i, 'the server'],
  [/\b(person|people) who runs?\b|\boperators?\b/i, 'your administrator'],
  [/\bplease\b|\bsorry\b/i, 'say what to do, without a plea or an apology'],
  [/\bban(s|ned)?\b/i, 'block'],
  [/\bimport(s|ed|ing)?\b/i, 'save'],
  [/\bany more[.,]/i, 'no longer, anymore'],
  [/, too[.,]/i, 'also, as well'],
  [/^(Changed|Updated|Last change)$/i, 'Modified'],
  [/(^| )(refused to|anew|whoever|in the meantime)\b/i, 'a plainer word'],
  [/\u2019/, "the apostrophe ', which is on every keyboard and in all other texts"],
  [/[.?!] .+[.?!] .+[.?!] .+[.?!]$/, 'at most three short sentences; two are better'],
];

/** The terms of the table in README.md. */
const CHINESE: readonly Rule[] = [
  [/账户/, '账号 for account'],
  [/(?<!访问|没有|请求)权限/, '角色 for role'],
  [/存放/, '暂存 for a stored quick transfer'],
  [/程序/, '应用 for app'],
  [/[此本由经的]服务(?!器)/, '服务器 for the server'],
  [/永久删除/, '彻底删除 for deleting permanently'],
  [/条目/, '项目 for item'],
  [/目录/, '文件夹 for folder'],
  [/登陆/, '登录 for log in'],
  [/你/, '您'],
  [/[\u4e00-\u9fff][,.:;?!()]|[,:;?!(][\u4e00-\u9fff]/, 'full-width punctuation'],
];

for (const [language, rules] of [
  ['en', ENGLISH],
  ['zh-CN', CHINESE],
] as const) {
  test(`no text in ${language} contains a forbidden word`, () => {
    const found = readTexts(language).flatMap(([key, text]) => {
      // The names of values are not shown.
      const shown = text.replaceAll(/\{\{[^}]*\}\}/g, '…');
      const broken = rules.filter(([forbidden]) => forbidden.test(shown));
      return broken.map(([, instead]) => `${key}: “${text}” (${instead})`);
    });
    assert.deepEqual(found, []);
  });
}

function readTexts(language: string): readonly (readonly [key: string, text: string])[] {
  const directory = path.join(import.meta.dirname, language);
  return readdirSync(directory).flatMap((file) =>
    textsOf(path.basename(file, '.json'), JSON.parse(readFileSync(path.join(directory, file), 'utf8'))),
  );
}

function textsOf(key: string, value: unknown): readonly (readonly [key: string, text: string])[] {
  if (typeof value === 'string') return [[key, value]];
  assert(typeof value === 'object' && value !== null, key);
  return Object.entries(value).flatMap(([name, part]) => textsOf(`${key}.${name}`, part));
}
