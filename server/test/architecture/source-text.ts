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

const COMMENT = /\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/y;
const STRING = /'(?:\\[^]|[^'\\\n])*'|"(?:\\[^]|[^"\\\n])*"/y;
const EXPRESSION = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;
/** From a backtick, or from the brace that ends an inserted value, to the next of either kind. */
const TEMPLATE_PART = /(?:\\[^]|\$(?!\{)|[^`\\$])*(?:`|\$\{|$)/y;

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
    const comment = this.#match(COMMENT);
    if (comment !== undefined) return this.#take(blank(comment), comment);
    const string = this.#match(STRING);
    if (string !== undefined) return this.#takeQuoted(string, 1);
    const char = this.#text.charAt(this.#position);
    if (char === '/' && BEFORE_EXPRESSION.test(this.#code.slice(-200).trimEnd())) {
      const expression = this.#match(EXPRESSION);
      if (expression !== undefined) return this.#takeQuoted(expression, 1);
    }
    if (char === '`') return this.#takeTemplate(char);
    if (char === '}' && this.#openBraces.at(-1) === 0) {
      this.#openBraces.pop();
      return this.#takeTemplate(char);
    }
    this.#countBrace(char);
    this.#take(char, blank(char));
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

  #takeQuoted(token: string, quote: number): void {
    this.#take(
      `${token.slice(0, quote)}${blank(token.slice(quote, -quote))}${token.slice(-quote)}`,
      blank(token),
    );
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
