const PARAMETER = /;[ \t]*(?:([^\s"=;]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s";]*)))?[ \t]*/y;

/**
 * The parameters of a header such as `form-data; name="file"; filename="a.txt"`, by their names in lower
 * case. Undefined if they are malformed. Of two parameters with one name the first counts.
 */
export function parseParameters(header: string): ReadonlyMap<string, string> | undefined {
  const parameters = new Map<string, string>();
  const start = header.indexOf(';');
  for (let position = start < 0 ? header.length : start; position < header.length; ) {
    PARAMETER.lastIndex = position;
    const found = PARAMETER.exec(header);
    if (found === null) return undefined;
    position = PARAMETER.lastIndex;
    const [, name, quoted, token = ''] = found;
    const key = name?.toLowerCase();
    if (key === undefined || parameters.has(key)) continue;
    parameters.set(key, quoted === undefined ? token : unquote(quoted));
  }
  return parameters;
}

/** One parameter of the header; undefined if it is absent or the header is malformed. */
export function findParameter(header: string, name: string): string | undefined {
  return parseParameters(header)?.get(name);
}

/**
 * Browsers leave a backslash as it is, so one that precedes neither a quote nor a backslash stands for
 * itself.
 */
function unquote(text: string): string {
  return text.includes('\\') ? text.replace(/\\(["\\])/g, '$1') : text;
}
