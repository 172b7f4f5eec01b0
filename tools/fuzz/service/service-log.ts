import { type Logger, pino } from 'pino';

/** How many requests are remembered. Each response is checked immediately, so few are enough. */
const REMEMBERED = 100;

interface Line {
  readonly requestId?: unknown;
  readonly route?: unknown;
  readonly method?: unknown;
  readonly err?: unknown;
}

/** A logger of the service that remembers which route served a request, and why a request failed. */
export class ServiceLog {
  readonly #routes = new Map<string, string>();
  readonly #causes = new Map<string, unknown>();
  readonly logger: Logger = pino({
    level: 'info',
    hooks: { logMethod: ([line]) => this.#note(line as unknown) },
  });

  /** The route, such as `GET /api/files/list`; undefined if nothing is known about the request. */
  findRoute(requestId: string): string | undefined {
    return this.#routes.get(requestId);
  }

  /** The error behind an internal failure. */
  findCause(requestId: string): unknown {
    return this.#causes.get(requestId);
  }

  #note(line: unknown): void {
    if (typeof line !== 'object' || line === null) return;
    const { requestId, route, method, err } = line as Line;
    if (typeof requestId !== 'string') return;
    if (route !== undefined) remember(this.#routes, requestId, `${method} ${toTemplate(`${route}`)}`);
    if (err !== undefined) remember(this.#causes, requestId, err);
  }
}

function toTemplate(route: string): string {
  return route.replaceAll(/:(\w+)/g, '{$1}');
}

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.set(key, value);
  if (map.size > REMEMBERED) map.delete(map.keys().next().value ?? '');
}
