// Separates code from comments and strings without a compiler, so that rules about words in code do not match
// strings and comments. Blanks replace the removed parts, so offsets and lines stay those of the file.

export interface SourceText {
  readonly text: string;
  /** The code without comments. Only the quotes remain of strings, templates and regular expressions. */
  readonly code: string;
  /** The comments without code. */
  readonly comments: string;
}

/** A slash after one of these begins a regular expression; any other slash is a division. */
const BEFORE_EXPRESSION =
  /(?:^|[(,=:[!&|?{};+\-*%~^<>]|\b(?:return|typeof|case|in|of|do|else|void|delete|throw|await|yield|instanceof))$/;

const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y;
const STRING = /'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"/y;
const EXPRESSION = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;
/** From a backtick, or the end of an interpolation, to the next backtick or interpolation. */
const TEMPLATE_PART = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{|$)/y;

export function splitSource(text: string): SourceText {
  return new Splitter(text).split();
}

class Splitter {
  readonly #text: string;
  #position = 0;
  #code = '';
  #comments = '';
  /** For every open template, the number of open braces in its current interpolation. */
  readonly #openBraces: number[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  split(): SourceText {
    while (this.#position < this.#text.length) this.#step();
    return { text: this.#text, code: this.#code, comments: this.#comments };
  }

  #step(): void {
    const char = this.#text.charAt(this.#position);
    const comment = this.#match(COMMENT);
    const quoted = this.#match(STRING) ?? this.#matchExpression();
    if (comment !== undefined) this.#take(blank(comment), comment);
    else if (quoted !== undefined) this.#takeQuoted(quoted);
    else if (char === '`') this.#takeTemplate(char);
    else if (char === '}' && this.#openBraces.at(-1) === 0) {
      this.#openBraces.pop();
      this.#takeTemplate(char);
    } else {
      this.#countBrace(char);
      this.#take(char, blank(char));
    }
  }

  #matchExpression(): string | undefined {
    if (this.#text.charAt(this.#position) !== '/') return undefined;
    // 200 characters are enough for a keyword before the slash and the blanks in between.
    return BEFORE_EXPRESSION.test(this.#code.slice(-200).trimEnd()) ? this.#match(EXPRESSION) : undefined;
  }

  #takeTemplate(start: string): void {
    this.#take(start, ' ');
    const part = this.#match(TEMPLATE_PART) ?? '';
    const insertsValue = part.endsWith('${');
    if (insertsValue) this.#openBraces.push(0);
    const end = insertsValue ? 2 : 1;
    this.#take(`${blank(part.slice(0, -end))}${part.slice(-end)}`, blank(part));
  }

  #countBrace(char: string): void {
    const open = this.#openBraces.pop();
    if (open === undefined) return;
    this.#openBraces.push(open + (char === '{' ? 1 : 0) - (char === '}' ? 1 : 0));
  }

  #takeQuoted(token: string): void {
    this.#take(`${token.charAt(0)}${blank(token.slice(1, -1))}${token.slice(-1)}`, blank(token));
  }

  #take(code: string, comments: string): void {
    this.#code += code;
    this.#comments += comments;
    this.#position += code.length;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#position;
    return pattern.exec(this.#text)?.[0];
  }
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}
