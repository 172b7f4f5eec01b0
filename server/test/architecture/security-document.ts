/** What `docs/security.md` says, as far as a program can check it. */
interface SecurityDocument {
  readonly requirements: readonly Requirement[];
  /** The requirements that a list names for a verdict, such as `Not met: 2.3.5, 2.4.2.` */
  readonly lists: ReadonlyMap<string, readonly string[]>;
  readonly tests: readonly NamedTest[];
  /** The source files that the document names, as written there. */
  readonly sources: readonly string[];
}

/** A requirement of OWASP ASVS: `- **2.1.1** (level 1) Summary. *Met.* …` */
interface Requirement {
  readonly id: string;
  readonly level: number;
  readonly verdict: string;
}

/** A test that the document names, as in: `file` "name", "another name" */
interface NamedTest {
  /** The path as written in the document: relative to `server/test` or to the root of the repository. */
  readonly file: string;
  /** An ellipsis stands for a part that the test computes. */
  readonly name: string;
}

const REQUIREMENT = /^- \*\*(\d+\.\d+\.\d+)\*\* \(level ([123])\) (?:[^*]|\*(?!\w))*\*([^*]+)\.\*/gm;
const LIST = /^([A-Z][a-z ]+): (\d+\.\d+\.\d+(?:,\s\d+\.\d+\.\d+)*)\.$/gm;
const TESTS = /`([\w./-]+\.test\.ts)`((?:(?:,| and|, and)? "[^"]+")*)/g;
const SOURCE = /`((?:[\w-]+\/)+[\w.-]+\.(?:ts|tsx|conf|service|md))`/g;

export function readSecurityDocument(text: string): SecurityDocument {
  // Lines may be wrapped anywhere, even inside names.
  const unwrapped = text.replaceAll(/\n(?=[^\n#|-]) */g, ' ');
  return {
    requirements: [...unwrapped.matchAll(REQUIREMENT)].map(([, id = '', level, verdict = '']) => ({
      id,
      level: Number(level),
      verdict,
    })),
    lists: new Map([...text.matchAll(LIST)].map(([, verdict = '', ids = '']) => [verdict, ids.split(/,\s/)])),
    tests: [...unwrapped.matchAll(TESTS)].flatMap(([, file = '', names = '']) => {
      const found = [...names.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name);
      return (found.length > 0 ? found : ['']).map((name) => ({ file, name }));
    }),
    sources: [...unwrapped.matchAll(SOURCE)].flatMap(([, file = '']) =>
      file.endsWith('.test.ts') ? [] : [file],
    ),
  };
}

/** Whether the text of a test file has a test with that name. */
export function hasTest(text: string, name: string): boolean {
  const pattern = name
    .split('…')
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('.+');
  return new RegExp(`\\b(?:test|it)\\(\\s*(['"\`])${pattern}\\1`).test(text);
}
