import { lineAt, type SourceModule } from '../source/source-module.ts';

/** The lines of a function from its parameters to its closing brace. */
interface FunctionLines {
  readonly line: number;
  readonly count: number;
}

/** Keywords that have parentheses before a block, but the block is not the body of a function. */
const CONTROL = /\b(?:if|for|for await|while|switch|catch|with)$/;

/** What may be between the parameters of a function and its body: nothing, a return type, or an arrow. */
const BETWEEN = /^\s*(?::[^;{}()=]*)?(?:=>\s*)?$/;

/** Finds the functions with a body in braces, in the order in which they end. */
export function findFunctions({ code, text }: Pick<SourceModule, 'code' | 'text'>): FunctionLines[] {
  const functions: FunctionLines[] = [];
  const openParentheses: number[] = [];
  const openBraces: (number | undefined)[] = [];
  let lastParentheses: { readonly start: number; readonly end: number } | undefined;
  for (let position = 0; position < code.length; position += 1) {
    const char = code.charAt(position);
    if (char === '(') openParentheses.push(position);
    else if (char === ')') lastParentheses = { start: openParentheses.pop() ?? 0, end: position };
    else if (char === '{') openBraces.push(findFunctionStart(code, lastParentheses, position));
    else if (char === '}') {
      const start = openBraces.pop();
      if (start === undefined) continue;
      const line = lineAt(text, start);
      functions.push({ line, count: lineAt(text, position) - line + 1 });
    }
  }
  return functions;
}

/** Returns the position of the parameters if the brace begins the body of a function. */
function findFunctionStart(
  code: string,
  parentheses: { readonly start: number; readonly end: number } | undefined,
  brace: number,
): number | undefined {
  if (parentheses === undefined || !BETWEEN.test(code.slice(parentheses.end + 1, brace))) {
    return /=>\s*$/.test(code.slice(Math.max(0, brace - 20), brace)) ? brace : undefined;
  }
  const before = code.slice(Math.max(0, parentheses.start - 20), parentheses.start).trimEnd();
  return CONTROL.test(before) ? undefined : parentheses.start;
}
