import { Failure } from '../../base/failure.ts';
import { namesContent } from '../../http/download/conditional-request.ts';

/*
 * The `If` header (RFC 4918, section 10.4): lists of conditions. At least one list must be fulfilled.
 *
 *   If = 1*No-tag-list | 1*Tagged-list
 *   No-tag-list = List
 *   Tagged-list = "<" URL ">" 1*List
 *   List = "(" 1*Condition ")"
 *   Condition = ["Not"] ("<" state token ">" | "[" entity tag "]")
 */

type IfCondition = {
  readonly isNegated: boolean;
} & ({ readonly token: string } | { readonly etag: string });

export interface IfList {
  /** The address before the list; undefined if the list is about the request's own address. */
  readonly resource: string | undefined;
  readonly conditions: readonly IfCondition[];
}

/** The state of a resource, which conditions are compared with. */
export interface ResourceState {
  /** With quotes, as it is sent; undefined for a directory, or if nothing exists. */
  readonly etag: string | undefined;
  /** The tokens of the locks that cover the resource. */
  readonly tokens: ReadonlySet<string>;
}

const MAX_LENGTH = 8_192;
const MAX_CONDITIONS = 100;

// The parts of the grammar, with the white space before them. Each is tried at one position only, so reading
// takes linear time.
const RESOURCE = /\s*<([^<>\s]+)>/y;
const OPENING = /\s*\(/y;
const CLOSING = /\s*\)/y;
const CONDITION = /\s*(Not\b)?\s*(?:<([^<>\s]+)>|\[\s*((?:W\/)?"[^"]*"[^\]\s"]*|[^\]\s"]+)\s*\])/iy;
const END = /\s*$/y;

/** @throws Failure `invalid` */
export function parseIfHeader(text: string): readonly IfList[] {
  if (text.length > MAX_LENGTH) throw new Failure('invalid', 'The If header is too long.');
  const lists: IfList[] = [];
  let position = 0;
  let conditionCount = 0;
  const take = (part: RegExp): RegExpExecArray | null => {
    part.lastIndex = position;
    const found = part.exec(text);
    if (found !== null) position = part.lastIndex;
    return found;
  };
  let resource: string | undefined;
  while (take(END) === null) {
    const tag = take(RESOURCE)?.[1];
    // Either all lists have an address or none has.
    if (tag !== undefined && lists.length > 0 && resource === undefined) throw malformed();
    resource = tag ?? resource;
    if (take(OPENING) === null) throw malformed();
    const conditions: IfCondition[] = [];
    for (let found = take(CONDITION); found !== null; found = take(CONDITION)) {
      conditions.push(toCondition(found));
    }
    conditionCount += conditions.length;
    if (conditions.length === 0 || conditionCount > MAX_CONDITIONS || take(CLOSING) === null)
      throw malformed();
    lists.push({ resource, conditions });
  }
  if (lists.length === 0) throw malformed();
  return lists;
}

function toCondition([, not, token, etag = '']: RegExpExecArray): IfCondition {
  const isNegated = not !== undefined;
  return token === undefined ? { isNegated, etag } : { isNegated, token };
}

/** Every token in the header counts as submitted, whatever its list says (RFC 4918, section 10.4.1). */
export function submittedTokens(lists: readonly IfList[]): ReadonlySet<string> {
  return new Set(
    lists.flatMap(({ conditions }) =>
      conditions.flatMap((condition) => ('token' in condition ? [condition.token] : [])),
    ),
  );
}

/** Whether all conditions of at least one list are fulfilled (RFC 4918, section 10.4.3). */
export function isFulfilled(
  lists: readonly IfList[],
  stateOf: (resource: string | undefined) => ResourceState,
): boolean {
  return lists.some(({ resource, conditions }) => {
    const state = stateOf(resource);
    return conditions.every((condition) => isConditionTrue(condition, state) !== condition.isNegated);
  });
}

/** A tag that a proxy has weakened still matches our content (RFC 4918, section 10.4.4, is stricter). */
function isConditionTrue(condition: IfCondition, { etag, tokens }: ResourceState): boolean {
  if ('token' in condition) return tokens.has(condition.token);
  return etag !== undefined && condition.etag !== '*' && namesContent(condition.etag, etag.slice(1, -1));
}

function malformed(): Failure {
  return new Failure('invalid', 'The If header is malformed.');
}
