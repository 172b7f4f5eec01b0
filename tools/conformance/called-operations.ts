// Records which stable operations the suite has called.

export class CalledOperations {
  readonly #patterns: ReadonlyMap<string, RegExp>;
  readonly #called = new Set<string>();

  /** @param operations such as `GET /api/files/download/{fileId}` */
  constructor(operations: readonly string[]) {
    this.#patterns = new Map(operations.map((operation) => [operation, toPattern(operation)]));
  }

  add(method: string, path: string): void {
    const [withoutQuery = ''] = path.split('?');
    for (const [operation, pattern] of this.#patterns) {
      if (pattern.test(`${method} ${withoutQuery}`)) this.#called.add(operation);
    }
  }

  get count(): number {
    return this.#called.size;
  }

  get total(): number {
    return this.#patterns.size;
  }

  listMissing(): readonly string[] {
    return [...this.#patterns.keys()].filter((operation) => !this.#called.has(operation));
  }
}

function toPattern(operation: string): RegExp {
  const pattern = operation.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${pattern}$`);
}
