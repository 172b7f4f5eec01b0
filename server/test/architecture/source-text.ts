// Tells code from comments and strings, without a compiler: the rules look for words, and a word in a string or a
// comment is none. What is not asked for becomes blanks, so offsets and lines stay those of the file.

export interface SourceText {
  readonly text: string;
  /** Without comments; strings, templates and regular expressions keep their quotes and lose what is between. */
  readonly code: string;
  /** Comments only. */
  readonly comments: string;
}

/** Behind one of these a slash begins a regular expression, otherwise it divides. */
const BEFORE_EXPRESSION =
  /(?:^|[(,=:[!&|?{};+\-*%~^<>]|\b(?:return|typeof|case|in|of|do|else|void|delete|throw|await|yield|instanceof))$/;

const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y;
const STRING = /'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"/y;
const EXPRESSION = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;
/** From a backtick, or from the brace that ends an inserted value, to the next of either kind. */
const TEMPLATE_PART = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{|$)/y;

export function splitSource(text: string): SourceText {
  return new Splitter(text).split();
}

class Splitter {
  readonly #text: string;
  #position = 0;
  #code = '';
  #comments = '';
  /** Of every template that is open: how many braces are open in the value inserted now. */
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
    // The keyword before it, and the blanks between, are never longer than this.
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
