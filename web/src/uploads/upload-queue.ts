import { ApiError } from '../api/api-error.ts';
import { delayAfter } from './back-off.ts';
import { freeName } from './free-name.ts';
import type { KeptUpload, UploadKeeper } from './kept-upload.ts';
import { type Picked, placeIn } from './picked-files.ts';
import { SMALL_BYTES, sendFile } from './send-file.ts';
import { Speed } from './speed.ts';
import {
  type Decision,
  isEnded,
  isMoving,
  type Problem,
  pathOf,
  sumUp,
  type Totals,
  type Upload,
} from './upload.ts';
import { FileChanged, NotPermitted, remedyFor, StoreFailure } from './upload-failures.ts';
import type { UploadService } from './upload-service.ts';

/** A browser has six connections to a service, and the page needs one besides those of the uploads. */
const MOST_AT_ONCE = 5;

/**
 * Small files need a round trip each, large ones the line: a few of either at a time. However many small ones there are, one
 * large one goes beside them.
 */
const TURNS = [
  ['large', 1],
  ['small', MOST_AT_ONCE],
  ['large', 3],
] as const;

/** Attempts at what goes wrong by chance, without a byte more arriving. */
const MOST_TRIES = 5;

/** The view is made anew so often at most; a long one not as often, since all of it is gone through. */
const VIEW_MS = 120;
const LONG_VIEW_MS = 300;
const LONG = 1_000;

/** What there is to see. It is another object whenever something has changed. */
export interface UploadsView {
  readonly uploads: readonly Upload[];
  readonly totals: Totals;
  readonly bytesPerSecond: number | undefined;
  /** Whether nothing goes until the service can be reached again. */
  readonly isHeld: boolean;
  /** Whether folders are still being looked through. */
  readonly isReading: boolean;
}

export interface QueueParts {
  readonly service: UploadService;
  readonly keeper: UploadKeeper;
  /** Hears of each entry that has come into being. */
  readonly onAdded: (path: string) => void;
  readonly newId: () => string;
  readonly maxUploadSizeBytes: () => number;
}

/** How a file that was picked before the page was loaded anew is found again. */
export interface Access {
  /** Undefined where the person has to pick it again. */
  readonly open: (() => Promise<File>) | undefined;
  /** Whether it may be opened at once. */
  readonly isPermitted: boolean;
}

interface Job {
  upload: Upload;
  readonly fileName: string;
  readonly folders: readonly string[];
  readonly lastModified: number;
  readonly rootId: string | undefined;
  open: (() => Promise<File>) | undefined;
  sessionId: string | undefined;
  parts: number[];
  decision: Decision | undefined;
  /** How often a taken name has been dealt with. */
  decided: number;
  tries: number;
  /** How much had arrived at the last failure. */
  sentBefore: number;
  wasCutOff: boolean;
  attempt: AbortController | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/**
 * The uploads of this page, each on its way through its states. A few are sent at a time, in the order in which they came.
 *
 * Three kinds of failure are told apart: when the service is out of reach all wait together, as long as it takes; what may go
 * wrong by chance is tried a few times more; anything else ends the upload, and the person decides.
 */
export class UploadQueue {
  readonly #parts: QueueParts;
  readonly #jobs = new Map<string, Job>();
  readonly #lines = { small: new Line(), large: new Line() };
  readonly #atOnce = { small: 0, large: 0 };
  readonly #decisions = new Map<string, Decision>();
  readonly #speed = new Speed();
  readonly #listeners = new Set<() => void>();
  readonly #unkept = new Set<Job>();
  readonly #forgotten = new Set<string>();
  /** That are kept. */
  readonly #roots = new Set<string>();
  #view: UploadsView;
  #viewTimer: ReturnType<typeof setTimeout> | undefined;
  #viewedAt = 0;
  #readings = 0;
  #outages = 0;
  #hold: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: QueueParts) {
    this.#parts = parts;
    this.#view = this.#makeView();
  }

  // For `useSyncExternalStore`.
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly view = (): UploadsView => this.#view;

  /** Tells that more will be added, until the function that it gives is called. */
  read(): () => void {
    this.#readings += 1;
    this.#show();
    return () => {
      this.#readings -= 1;
      this.#show();
    };
  }

  /** @param batchId of those that were picked together: what is decided for all of them is decided for these */
  add(directoryPath: string, picked: readonly Picked[], batchId: string): void {
    if (!this.#isBusy()) this.clear();
    const detached = this.#findDetached();
    for (const one of picked) {
      const { file, folders, root } = one;
      const place = placeIn(directoryPath, one);
      if (this.#findAgain(one, detached, place.directoryPath)) continue;
      if (root !== undefined && !this.#roots.has(root.id)) {
        this.#roots.add(root.id);
        this.#parts.keeper.putRoot(root);
      }
      this.#enter({
        upload: {
          id: this.#parts.newId(),
          batchId,
          kind: file === undefined ? 'directory' : 'file',
          ...place,
          size: file?.size ?? 0,
          sentBytes: 0,
          status: 'waiting',
        },
        fileName: place.name,
        folders,
        lastModified: file?.lastModified ?? 0,
        rootId: root?.id,
        open: file && (async () => file),
      });
    }
    this.#fill();
  }

  /** Takes up what was begun before the page was loaded anew. */
  restore(kept: KeptUpload, { open, isPermitted }: Access): void {
    const { id, batchId, kind, directoryPath, name, size, fileName, folders, lastModified, rootId } = kept;
    if (this.#jobs.has(id)) return;
    const canGoOn = kind === 'directory' || isPermitted;
    const status = !canGoOn ? 'detached' : kept.isPaused ? 'paused' : 'waiting';
    const job = this.#enter({
      upload: {
        ...{ id, batchId, kind, directoryPath, name, size, sentBytes: 0, status },
        isRemembered: open !== undefined,
        isInFolder: folders.length > 0,
      },
      ...{ fileName, folders, lastModified, rootId, open },
    });
    job.sessionId = kept.sessionId;
    job.parts = [...kept.parts];
    job.decision = kept.decision;
    job.wasCutOff = true;
    if (status !== 'waiting' && job.sessionId !== undefined) void this.#learnProgress(job, job.sessionId);
    this.#fill();
  }

  /** Looks among the files for those that uploads are waiting for. Gives how many it has found. */
  attach(picked: readonly Picked[]): number {
    const detached = this.#findDetached();
    const found = picked.filter((one) => this.#findAgain(one, detached)).length;
    this.#fill();
    return found;
  }

  /** The person lets the page read what lies there. */
  permit(rootId: string): void {
    for (const job of this.#jobs.values()) {
      if (job.rootId === rootId && job.upload.status === 'detached') this.#line(job);
    }
    this.#fill();
  }

  /** Those that wait for the person to let the page read them. */
  rootsToPermit(): ReadonlySet<string> {
    const jobs = this.#chosen().filter(({ upload }) => upload.status === 'detached' && upload.isRemembered);
    return new Set(jobs.map(({ rootId }) => rootId).filter((id) => id !== undefined));
  }

  /** Without an id: all of them. So it is with the others below. */
  pause(id?: string): void {
    for (const job of this.#chosen(id)) {
      if (!isMoving(job.upload)) continue;
      this.#stop(job, 'paused');
      this.#change(job, { status: 'paused' });
      this.#keep(job);
    }
  }

  resume(id?: string): void {
    for (const job of this.#chosen(id)) if (job.upload.status === 'paused') this.#line(job);
    this.#fill();
  }

  /** Tries again what has failed. */
  retry(id?: string): void {
    for (const job of this.#chosen(id)) {
      if (job.upload.status !== 'failed') continue;
      // A session that the service would not complete would not be completed the next time either.
      if (job.upload.problem?.kind === 'refused') this.#dropSession(job);
      job.tries = 0;
      job.decided = 0;
      this.#line(job);
    }
    this.#fill();
  }

  /** Ends it, and what of it has arrived is dropped. */
  cancel(id?: string): void {
    for (const job of this.#chosen(id)) {
      if (id === undefined && isEnded(job.upload)) continue;
      this.#stop(job, 'cancelled');
      this.#dropSession(job);
      this.#forget(job);
    }
    this.#fill();
  }

  /** Takes what has ended off the list. */
  clear(): void {
    for (const job of this.#chosen()) if (isEnded(job.upload)) this.#forget(job);
    this.#speed.reset();
  }

  /** @param forAll also for those of the same batch whose names turn out to be taken */
  decide(id: string, decision: Decision, forAll: boolean): void {
    const first = this.#jobs.get(id);
    if (first === undefined) return;
    if (forAll) this.#decisions.set(first.upload.batchId, decision);
    for (const job of this.#jobs.values()) {
      const isMeant = job === first || (forAll && job.upload.batchId === first.upload.batchId);
      if (isMeant && job.upload.status === 'taken') this.#follow(job, decision);
    }
    this.#fill();
  }

  /** The way to the service may be open again. */
  goOn(): void {
    clearTimeout(this.#hold);
    this.#hold = undefined;
    for (const job of this.#jobs.values()) if (job.upload.status === 'delayed') this.#line(job);
    this.#fill();
  }

  /** Stops all, and remembers it for the next time: somebody else uses the page now. */
  leave(): void {
    this.#store();
    for (const job of this.#jobs.values()) this.#stop(job, 'left');
    clearTimeout(this.#hold);
    this.#hold = undefined;
    this.#jobs.clear();
    this.#unkept.clear();
    this.#forgotten.clear();
    this.#decisions.clear();
    this.#show();
  }

  /** Whether something would have to be picked again if the page went away. */
  wouldLose(): boolean {
    return this.#chosen().some(
      ({ upload, rootId }) => !isEnded(upload) && upload.status !== 'detached' && rootId === undefined,
    );
  }

  #isBusy(): boolean {
    for (const { upload } of this.#jobs.values())
      if (!isEnded(upload) || upload.status === 'failed') return true;
    return false;
  }

  #chosen(id?: string): readonly Job[] {
    if (id === undefined) return [...this.#jobs.values()];
    const job = this.#jobs.get(id);
    return job === undefined ? [] : [job];
  }

  #enter(job: Pick<Job, 'upload' | 'fileName' | 'folders' | 'lastModified' | 'rootId' | 'open'>): Job {
    const whole: Job = {
      ...{ sessionId: undefined, parts: [], decision: undefined, decided: 0, tries: 0, sentBefore: 0 },
      ...{ wasCutOff: false, attempt: undefined, timer: undefined },
      ...job,
    };
    this.#jobs.set(job.upload.id, whole);
    this.#keep(whole);
    if (whole.upload.status === 'waiting') this.#line(whole);
    this.#show();
    return whole;
  }

  /** Those that wait for a file, by what a file is known by. */
  #findDetached(): ReadonlyMap<string, readonly Job[]> {
    const detached = new Map<string, Job[]>();
    for (const job of this.#jobs.values()) {
      if (job.upload.status !== 'detached') continue;
      const key = `${job.fileName}/${job.upload.size}/${job.lastModified}`;
      detached.set(key, [...(detached.get(key) ?? []), job]);
    }
    return detached;
  }

  /** Whether an upload, into that directory if there is one, was waiting for just this file. */
  #findAgain(
    { file, folders }: Picked,
    detached: ReadonlyMap<string, readonly Job[]>,
    directoryPath?: string,
  ): boolean {
    if (file === undefined) return false;
    const alike = detached.get(`${file.name}/${file.size}/${file.lastModified}`) ?? [];
    const job = alike.find(
      ({ upload, folders: whole }) =>
        upload.status === 'detached' &&
        (directoryPath === undefined ? isBelow(folders, whole) : upload.directoryPath === directoryPath),
    );
    if (job === undefined) return false;
    job.open = async () => file;
    this.#line(job);
    return true;
  }

  #line(job: Job): void {
    clearTimeout(job.timer);
    this.#change(job, { status: 'waiting', problem: undefined });
    this.#lines[sizeOf(job)].push(job);
  }

  #fill(): void {
    if (this.#hold !== undefined) return;
    for (const [size, most] of TURNS) {
      while (this.#atOnce[size] < most && this.#hasRoom()) {
        const job = this.#lines[size].shift((next) => this.#isNext(next));
        if (job === undefined) break;
        void this.#run(job, size);
      }
    }
  }

  #hasRoom(): boolean {
    return this.#atOnce.small + this.#atOnce.large < MOST_AT_ONCE;
  }

  #isNext(job: Job): boolean {
    return job.upload.status === 'waiting' && this.#jobs.get(job.upload.id) === job;
  }

  async #run(job: Job, size: 'small' | 'large'): Promise<void> {
    const attempt = new AbortController();
    job.attempt = attempt;
    this.#atOnce[size] += 1;
    this.#change(job, { status: 'sending' });
    try {
      await this.#carry(job, attempt.signal);
      attempt.signal.throwIfAborted();
      this.#outages = 0;
      this.#end(job, 'done');
      this.#parts.onAdded(pathOf(job.upload));
    } catch (error) {
      // Whoever has stopped it has said what it is now.
      if (!attempt.signal.aborted) await this.#onFailure(job, attempt, error);
    } finally {
      if (job.attempt === attempt) job.attempt = undefined;
      this.#atOnce[size] -= 1;
      this.#fill();
    }
  }

  async #carry(job: Job, signal: AbortSignal): Promise<void> {
    const { service } = this.#parts;
    if (job.upload.kind === 'directory') return this.#makeDirectory(job, signal);
    if (job.open === undefined) throw new FileChanged();
    const file = await job.open();
    if (file.size !== job.upload.size) throw new FileChanged();
    if (file.size > this.#parts.maxUploadSizeBytes()) throw new ApiError(413, 'The file is too large.');
    await this.#makeRoom(job, signal);
    const { directoryPath, name } = job.upload;
    const { sessionId, parts, wasCutOff } = job;
    await sendFile(
      service,
      { place: { directoryPath, name }, file, sessionId, parts, wasCutOff },
      {
        signal,
        onProgress: (sentBytes) => {
          if (!signal.aborted) this.#change(job, { sentBytes });
        },
        onSession: (id) => {
          job.sessionId = id;
          job.parts = [];
          this.#keep(job);
          this.#store();
        },
        onPart: (index) => {
          job.parts.push(index);
          this.#keep(job);
          this.#store();
        },
      },
    );
  }

  async #makeDirectory({ upload }: Job, signal: AbortSignal): Promise<void> {
    try {
      await this.#parts.service.makeDirectory(pathOf(upload), signal);
    } catch (error) {
      // It is there already: what is in both comes together.
      if (!(error instanceof ApiError && error.status === 409)) throw error;
    }
  }

  /** Does what was decided about a name that is taken. */
  async #makeRoom(job: Job, signal: AbortSignal): Promise<void> {
    const { service } = this.#parts;
    const { decision, upload } = job;
    if (decision === 'keep-both') {
      const taken = new Set(await service.listNamesLike(upload, signal));
      for (const other of this.#jobs.values()) {
        const { status, directoryPath, name } = other.upload;
        if (directoryPath === upload.directoryPath && status !== 'skipped') taken.add(name);
      }
      this.#dropSession(job);
      this.#change(job, { name: freeName(upload.name, taken) });
    } else if (decision === 'replace') {
      const entry = await service.findEntry(upload, signal);
      if (entry?.directory === true) throw new InTheWay('folder-in-the-way');
      if (entry !== undefined) await service.recycle(entry, signal);
    }
    job.decision = undefined;
    this.#keep(job);
  }

  async #onFailure(job: Job, attempt: AbortController, error: unknown): Promise<void> {
    if (error instanceof NotPermitted) return this.#change(job, { status: 'detached' });
    if (error instanceof ApiError && error.status === 401) return this.#change(job, { status: 'paused' });
    if (error instanceof ApiError && error.status === 409) return this.#onTaken(job, attempt);
    const remedy = remedyFor(error);
    if (remedy !== 'stop') {
      // The browser says of a file that it cannot read what it says of a line that is cut.
      const isThere = await canRead(job);
      if (attempt.signal.aborted) return;
      if (!isThere) return this.#end(job, 'failed', { kind: 'changed' });
      job.wasCutOff = true;
      if (job.upload.sentBytes > job.sentBefore) job.tries = 0;
      job.sentBefore = job.upload.sentBytes;
      if (remedy === 'wait') return this.#holdAll(job, error);
      job.tries += 1;
      if (job.tries < MOST_TRIES) return this.#delay(job);
    }
    this.#end(job, 'failed', this.#problemOf(error, job));
  }

  /** The service is out of reach, for this one and for the others. */
  #holdAll(job: Job, error: unknown): void {
    this.#change(job, { status: 'delayed' });
    if (this.#hold !== undefined) return;
    this.#outages += 1;
    const retryAfter = error instanceof ApiError ? error.retryAfter : undefined;
    this.#hold = setTimeout(() => this.goOn(), delayAfter(this.#outages, retryAfter, Math.random()));
    this.#show();
  }

  #delay(job: Job): void {
    this.#change(job, { status: 'delayed' });
    const again = () => {
      this.#line(job);
      this.#fill();
    };
    job.timer = setTimeout(again, delayAfter(job.tries, undefined, Math.random()));
  }

  async #onTaken(job: Job, attempt: AbortController): Promise<void> {
    const decision = this.#decisions.get(job.upload.batchId);
    if (job.decided > 0) {
      const entry = await this.#parts.service.findEntry(job.upload).catch(() => 'unknown' as const);
      if (attempt.signal.aborted) return;
      // Nothing has that name: it is one of the folders above that is no folder.
      if (entry === undefined) return this.#end(job, 'failed', { kind: 'parent-is-file' });
    }
    if (decision === undefined) this.#change(job, { status: 'taken' });
    else this.#follow(job, decision);
  }

  #follow(job: Job, decision: Decision): void {
    job.decided += 1;
    if (decision === 'skip') {
      this.#dropSession(job);
      this.#end(job, 'skipped');
      return;
    }
    job.decision = decision;
    this.#keep(job);
    this.#line(job);
  }

  #problemOf(error: unknown, { upload }: Job): Problem {
    if (error instanceof FileChanged) return { kind: 'changed' };
    if (error instanceof InTheWay) return { kind: error.kind };
    if (error instanceof StoreFailure) return { kind: 'store' };
    if (!(error instanceof ApiError)) return { kind: 'unknown' };
    if (error.status !== 413) return { kind: 'refused', error };
    return { kind: upload.size > this.#parts.maxUploadSizeBytes() ? 'too-large' : 'over-quota' };
  }

  async #learnProgress(job: Job, sessionId: string): Promise<void> {
    const session = await this.#parts.service
      .getSession(sessionId, AbortSignal.timeout(30_000))
      .catch(() => undefined);
    if (session === undefined || job.sessionId !== sessionId || job.attempt !== undefined) return;
    if (session.status === 'COMPLETED') this.#end(job, 'done');
    else if (session.runtime !== null) {
      this.#change(job, { sentBytes: Math.min(job.upload.size, session.runtime.uploadedBytes) });
    }
  }

  #stop(job: Job, why: string): void {
    clearTimeout(job.timer);
    job.attempt?.abort(new Error(`The upload was ${why}.`));
    job.attempt = undefined;
  }

  #dropSession(job: Job): void {
    const { sessionId } = job;
    job.sessionId = undefined;
    job.parts = [];
    // It ends by itself after a day, if this fails.
    if (sessionId !== undefined) void this.#parts.service.cancelSession(sessionId).catch(() => undefined);
  }

  #end(job: Job, status: 'done' | 'skipped' | 'failed', problem?: Problem): void {
    this.#change(job, { status, problem, ...(status === 'done' ? { sentBytes: job.upload.size } : {}) });
    this.#unkept.delete(job);
    this.#forgotten.add(job.upload.id);
  }

  #forget(job: Job): void {
    this.#jobs.delete(job.upload.id);
    this.#unkept.delete(job);
    this.#forgotten.add(job.upload.id);
    this.#show();
  }

  #change(job: Job, change: Partial<Upload>): void {
    const sent = (change.sentBytes ?? job.upload.sentBytes) - job.upload.sentBytes;
    if (sent > 0 && job.upload.status === 'sending') {
      this.#outages = 0;
      this.#speed.add(sent, performance.now());
    }
    job.upload = { ...job.upload, ...change };
    this.#show();
  }

  #keep(job: Job): void {
    this.#unkept.add(job);
  }

  #store(): void {
    const { keeper } = this.#parts;
    if (this.#unkept.size > 0) keeper.put(Array.from(this.#unkept, toKept));
    if (this.#forgotten.size > 0) keeper.remove([...this.#forgotten]);
    this.#unkept.clear();
    this.#forgotten.clear();
  }

  /** Soon: a thousand changes are one for whoever looks. */
  #show(): void {
    if (this.#viewTimer !== undefined) return;
    const rest = this.#jobs.size < LONG ? VIEW_MS : LONG_VIEW_MS;
    const wait = Math.max(0, this.#viewedAt + rest - performance.now());
    this.#viewTimer = setTimeout(() => {
      this.#viewTimer = undefined;
      this.#viewedAt = performance.now();
      this.#store();
      this.#view = this.#makeView();
      for (const listener of this.#listeners) listener();
      // A speed that is not told anew would stand still.
      if (this.#atOnce.small + this.#atOnce.large === 0) this.#speed.reset();
    }, wait);
  }

  #makeView(): UploadsView {
    const uploads = Array.from(this.#jobs.values(), ({ upload }) => upload);
    return {
      uploads,
      totals: sumUp(uploads),
      bytesPerSecond: this.#speed.at(performance.now()),
      isHeld: this.#hold !== undefined,
      isReading: this.#readings > 0,
    };
  }
}

/** Something is there that cannot be replaced. */
class InTheWay extends Error {
  readonly kind: 'folder-in-the-way';

  constructor(kind: 'folder-in-the-way') {
    super(kind);
    this.kind = kind;
  }
}

/** Those who wait, in their order; taking the first of ten thousand costs no more than taking the first of two. */
class Line {
  #jobs: Job[] = [];
  #first = 0;

  push(job: Job): void {
    this.#jobs.push(job);
  }

  /** The first that is still meant; those before it are let go. */
  shift(isMeant: (job: Job) => boolean): Job | undefined {
    while (this.#first < this.#jobs.length) {
      const job = this.#jobs[this.#first];
      this.#first += 1;
      if (job !== undefined && isMeant(job)) return job;
    }
    this.#jobs = [];
    this.#first = 0;
    return undefined;
  }
}

function sizeOf({ upload }: Job): 'small' | 'large' {
  return upload.size <= SMALL_BYTES ? 'small' : 'large';
}

/** Whether a file may be picked alone, or with some of the folders that it was in, and still be the same. */
function isBelow(folders: readonly string[], whole: readonly string[]): boolean {
  return folders.every((folder, index) => folder === whole[whole.length - folders.length + index]);
}

async function canRead({ open, upload }: Job): Promise<boolean> {
  if (upload.kind === 'directory' || open === undefined) return true;
  try {
    const file = await open();
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

function toKept(job: Job): KeptUpload {
  const { id, batchId, kind, directoryPath, name, size, status } = job.upload;
  const { fileName, folders, lastModified, rootId, sessionId, parts, decision } = job;
  return {
    ...{ id, batchId, kind, directoryPath, name, size, fileName, folders, lastModified, rootId, sessionId },
    ...{ parts: [...parts], decision, isPaused: status === 'paused' },
  };
}
