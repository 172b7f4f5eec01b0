const OLDEST = [22, 18] as const;

/** Why this Node.js is too old, in a sentence; undefined if it is new enough. */
export function findNodeFault(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return undefined;
  return `Holdall needs Node.js ${OLDEST.join('.')} or newer; this is ${version}.`;
}
