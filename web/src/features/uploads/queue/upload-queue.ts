import type { ConflictDecision } from '../../entries/conflicts/conflict-questions.ts';
import { type Picked, placeIn } from '../files/picked-files.ts';
import type { KeptUpload, UploadKeeper } from '../persistence/kept-upload.ts';
import type { UploadService } from '../service/upload-service.ts';
import { isEnded, isMoving } from '../upload.ts';
import { Carrier } from './carrier.ts';
import { DetachedJobs } from './detached-jobs.ts';
import { JobSteps } from './job-steps.ts';
import { type Access, fromKept, KeptJobs } from './kept-jobs.ts';
import { TakenNames } from './taken-names.ts';
import { Outage } from './timing/outage.ts';
import { type Job, newJob, stopJob } from './upload-job.ts';
import { UploadSlots } from './upload-slots.ts';
import { LiveView, type UploadsView } from './uploads-view.ts';

export type { Access, UploadsView };

export interface QueueParts {
  readonly service: UploadService;
  readonly keeper: UploadKeeper;
  /** Called with each entry that was created. */
  readonly onAdded: (path: string) => void;
  readonly newId: () => string;
  readonly maxUploadSizeBytes: () => number;
}

/**
 * The uploads of this page with their states, and the user's actions on them. A few are sent at a time, in
 * the order in which they were added.
 */
export class UploadQueue {
  readonly #parts: QueueParts;
  readonly #jobs = new Map<string, Job>();
  readonly #outage = new Outage();
  readonly #kept: KeptJobs;
  readonly #live: LiveView;
  readonly #steps: JobSteps;
  readonly #names: TakenNames;
  readonly #carrier: Carrier;

  constructor(parts: QueueParts) {
    const { service, onAdded, maxUploadSizeBytes } = parts;
    this.#parts = parts;
    this.#kept = new KeptJobs(parts.keeper);
    const ground = { jobs: this.#jobs, slots: new UploadSlots(), outage: this.#outage, kept: this.#kept };
    this.#live = new LiveView(ground);
    this.#steps = new JobSteps({ ...ground, live: this.#live, service });
    this.#names = new TakenNames({ ...ground, steps: this.#steps, service });
    this.#carrier = new Carrier({
      ...{ ...ground, live: this.#live, steps: this.#steps, names: this.#names },
      ...{ service, onAdded, maxUploadSizeBytes },
    });
  }

  // For `useSyncExternalStore`.
  readonly subscribe = (listener: () => void): (() => void) => this.#live.subscribe(listener);

  readonly view = (): UploadsView => this.#live.view();

  /** Announces that more uploads will be added, until the returned function is called. */
  read(): () => void {
    return this.#live.read();
  }

  /** Shows that a dropped file or folder could not be read. @param path from the dropped folder on */
  noteUnreadable(path: string): void {
    this.#live.noteUnreadable(path);
  }

  /** @param batchId of files that were chosen together: a decision for all of them applies to these */
  add(directoryPath: string, picked: readonly Picked[], batchId: string): void {
    if (!this.#isBusy()) this.clear();
    const detached = new DetachedJobs(this.#jobs.values());
    for (const one of picked) {
      const { file, folders, root } = one;
      const place = placeIn(directoryPath, one);
      if (this.#findAgain(one, detached, place.directoryPath)) continue;
      if (root !== undefined) this.#kept.keepRoot(root);
      const job = newJob({
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
        onSettled: one.onSettled,
      });
      this.#steps.enter(job);
    }
    this.#carrier.fill();
  }

  /** Takes over uploads that were started before the page was reloaded. */
  restore(kept: KeptUpload, access: Access): void {
    if (this.#jobs.has(kept.id)) return;
    const job = fromKept(kept, access);
    this.#steps.enter(job);
    if (job.upload.status !== 'waiting' && job.sessionId !== undefined) {
      void this.#learnProgress(job, job.sessionId);
    }
    this.#carrier.fill();
  }

  /** Matches files with uploads that wait for them. Returns the number of matches. */
  attach(picked: readonly Picked[]): number {
    const detached = new DetachedJobs(this.#jobs.values());
    const found = picked.filter((one) => this.#findAgain(one, detached)).length;
    this.#carrier.fill();
    return found;
  }

  /** The user permits the page to read the files. */
  permit(rootId: string): void {
    for (const job of this.#jobs.values()) {
      if (job.rootId === rootId && job.upload.status === 'detached') this.#steps.enqueue(job);
    }
    this.#carrier.fill();
  }

  /** Uploads that wait for the user's permission to read. */
  rootsToPermit(): ReadonlySet<string> {
    const jobs = this.#chosen().filter(({ upload }) => upload.status === 'detached' && upload.isRemembered);
    return new Set(jobs.map(({ rootId }) => rootId).filter((id) => id !== undefined));
  }

  /** Without an id: all of them. The same applies to the methods below. */
  pause(id?: string): void {
    for (const job of this.#chosen(id)) {
      if (!isMoving(job.upload)) continue;
      stopJob(job, 'paused');
      this.#steps.change(job, { status: 'paused' });
      this.#kept.keep(job);
    }
  }

  resume(id?: string): void {
    for (const job of this.#chosen(id)) if (job.upload.status === 'paused') this.#steps.enqueue(job);
    this.#carrier.fill();
  }

  /** Retries failed uploads. */
  retry(id?: string): void {
    for (const job of this.#chosen(id)) {
      if (job.upload.status !== 'failed') continue;
      // A session that the service refused to complete would be refused again.
      if (job.upload.problem?.kind === 'refused') this.#steps.dropSession(job);
      job.tries = 0;
      job.decided = 0;
      this.#steps.enqueue(job);
    }
    this.#carrier.fill();
  }

  /** Cancels an upload and drops what has arrived. */
  cancel(id?: string): void {
    for (const job of this.#chosen(id)) {
      if (id === undefined && isEnded(job.upload)) continue;
      stopJob(job, 'cancelled');
      this.#steps.dropSession(job);
      this.#steps.forget(job);
    }
    this.#carrier.fill();
  }

  /** Removes ended uploads from the list. */
  clear(): void {
    for (const job of this.#chosen()) if (isEnded(job.upload)) this.#steps.forget(job);
    this.#live.reset();
  }

  /** @param forAll also for other uploads of the batch whose names turn out to be taken */
  decide(id: string, decision: ConflictDecision, forAll: boolean): void {
    const first = this.#jobs.get(id);
    if (first === undefined) return;
    this.#names.decide(first, decision, forAll);
    this.#carrier.fill();
  }

  /** The service may be reachable again. */
  goOn(): void {
    this.#carrier.goOn();
  }

  /** Stops and stores all uploads, because another user uses the page now. */
  leave(): void {
    this.#kept.store();
    for (const job of this.#jobs.values()) stopJob(job, 'left');
    this.#outage.end();
    this.#jobs.clear();
    this.#kept.reset();
    this.#names.reset();
    this.#live.forgetUnreadable();
    this.#live.show();
  }

  /** Whether closing the page would lose files that had to be chosen again. */
  wouldLose(): boolean {
    return this.#chosen().some(
      ({ upload, rootId, onSettled }) =>
        // The browser keeps what another app has shared until then.
        !isEnded(upload) && upload.status !== 'detached' && rootId === undefined && onSettled === undefined,
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

  /** Whether an upload was waiting for exactly this file, with which it then continues. */
  #findAgain(one: Picked, detached: DetachedJobs, directoryPath?: string): boolean {
    const { file } = one;
    const job = detached.find(one, directoryPath);
    if (job === undefined || file === undefined) return false;
    job.open = async () => file;
    job.onSettled = one.onSettled;
    this.#steps.enqueue(job);
    return true;
  }

  /** Asks how much of it has arrived, while it is not being sent. */
  async #learnProgress(job: Job, sessionId: string): Promise<void> {
    const session = await this.#parts.service
      .getSession(sessionId, AbortSignal.timeout(30_000))
      .catch(() => undefined);
    if (session === undefined || job.sessionId !== sessionId || job.attempt !== undefined) return;
    if (session.status === 'COMPLETED') this.#steps.end(job, 'done');
    else if (session.runtime !== null) {
      this.#steps.change(job, { sentBytes: Math.min(job.upload.size, session.runtime.uploadedBytes) });
    }
  }
}
