import type { ArchiveBody, ArchiveContents, ExtractBody, TaskRecord } from '../generated/records.ts';
import { type ListOptions, PageList } from '../pages/page-list.ts';
import type { CallOptions } from '../requests/call-options.ts';
import type { InputOf } from '../requests/operation-types.ts';
import type { Requester } from '../requests/requester.ts';
import { wait } from '../requests/waiting.ts';

/** Background tasks of the service: creating and extracting archives, reading metadata. */
export class Tasks {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** The user's tasks, newest first. */
  list(options: ListOptions = {}): PageList<TaskRecord> {
    return new PageList((query, call) => this.#requester.ask('GET /api/v2/tasks', { query }, call), options);
  }

  /** One task. @throws HoldallError */
  get(id: number, options: CallOptions = {}): Promise<TaskRecord> {
    return this.#requester.ask('GET /api/v2/tasks/{id}', { path: { id } }, options);
  }

  /** Cancels a task that has not ended yet. @throws HoldallError */
  cancel(id: number, options: CallOptions = {}): Promise<TaskRecord> {
    return this.#requester.ask('DELETE /api/v2/tasks/{id}', { path: { id } }, options);
  }

  /** Starts a failed task again. @throws HoldallError */
  retry(id: number, options: CallOptions = {}): Promise<TaskRecord> {
    return this.#requester.ask('POST /api/v2/tasks/{id}/retry', { path: { id } }, options);
  }

  /**
   * Creates a ZIP archive of one entry (`fileId`, with its own path as `path`) or of several (`fileIds`, with
   * the target of the archive as `path`).
   * @throws HoldallError
   */
  archive(body: ArchiveBody, options: CallOptions = {}): Promise<TaskRecord> {
    return this.#requester.ask('POST /api/v2/tasks/archive', { body }, options);
  }

  /** Extracts a ZIP archive. `path` is the path of the archive. @throws HoldallError */
  extract(body: ExtractBody, options: CallOptions = {}): Promise<TaskRecord> {
    return this.#requester.ask('POST /api/v2/tasks/extract', { body }, options);
  }

  /** Lists the content of a ZIP archive. @throws HoldallError */
  listArchive(
    fileId: number,
    query: InputOf<'GET /api/v2/files/{fileId}/archive'>['query'] = {},
    options: CallOptions = {},
  ): Promise<ArchiveContents> {
    return this.#requester.ask('GET /api/v2/files/{fileId}/archive', { path: { fileId }, query }, options);
  }

  /**
   * Reads the metadata of a picture, video or audio file. `path` is the path of the file.
   * @throws HoldallError
   */
  readMetadata(
    body: InputOf<'POST /api/v2/tasks/media-metadata'>['body'],
    options: CallOptions = {},
  ): Promise<TaskRecord> {
    return this.#requester.ask('POST /api/v2/tasks/media-metadata', { body }, options);
  }

  /**
   * Waits until a task has ended, successfully or not.
   * @param options.everyMs milliseconds between two requests; 1,000 if absent
   * @throws HoldallError; the reason of the signal
   */
  async wait(
    id: number,
    options: CallOptions & { readonly everyMs?: number | undefined } = {},
  ): Promise<TaskRecord> {
    for (;;) {
      const task = await this.get(id, options);
      if (task.finishedAt !== null) return task;
      await wait(options.everyMs ?? 1_000, options.signal);
    }
  }
}
