let ids = 0;

/** Ids that sort by creation time. `crypto.randomUUID` needs a secure context. */
export function newId(): string {
  ids += 1;
  const random = crypto.getRandomValues(new Uint32Array(2)).join('.');
  return `${Date.now()}.${String(ids).padStart(9, '0')}.${random}`;
}
