/**
 * Replaces the package `glob`: @fastify/static loads it at the start, but Holdall never uses it.
 */
export function glob(): never {
  throw new Error('Files are served without lists of them.');
}
