import type { DriveId } from '../../../api/in-drive.ts';
import type { ConflictDecision } from '../../entries/conflicts/conflict-questions.ts';
import { type Picked, placeIn } from '../files/picked-files.ts';
import type { SavedUpload, UploadStore } from '../persistence/saved-upload.ts';
import type { UploadService } from '../service/upload-service.ts';
import { isEnded, isMoving } from '../upload.ts';
import { DetachedJobs, type UploadFolder } from './detached-jobs.ts';
import { ExistingFiles } from './existing-files.ts';
import { JobSteps } from './job-steps.ts';
import { type Access, fromSaved, JobStore } from './job-store.ts';
import { TakenNames } from './taken-names.ts';
import { Outage } from './timing/outage.ts';
import { type Job, newJob, stopJob } from './upload-job.ts';
import { UploadRunner } from './upload-runner.ts';
import { UploadSlots } from './upload-slots.ts';
import { LiveView, type UploadsView } from './uploads-view.ts';

export type { Access, UploadsView };

interface QueueParts {
  readonly service: UploadService;
  readonly uploadStore: UploadStore;
  /** Called with each entry that was created. */
  readonly onAdded: (path: string, driveId: DriveId) => void;
  readonly newId: () => string;
  readonly maxUploadSizeBytes: (driveId: DriveId) => number;
}

/**
 * The uploads of this page and what the user can do with them. A few are sent at a time, in the order in
 * which they were added.
 */
export class UploadQueue {
  readonly #parts: QueueParts;
  readonly #jobs = new Map<string, Job>();
  readonly #outage = new Outage();
  readonly #jobStore: JobStore;
  readonly #live: LiveView;
  readonly #steps: JobSteps;
  readonly #existing: ExistingFiles;
  readonly #names: TakenNames;
  readonly #runner: UploadRunner;

  constructor(parts: QueueParts) {
    const { service, onAdded, maxUploadSizeBytes } = parts;
    this.#parts = parts;
    this.#jobStore = new JobStore(parts.uploadStore);
    const shared = {
      jobs: this.#jobs,
      slots: new UploadSlots(),
      outage: this.#outage,
      jobStore: this.#jobStore,
    };
    this.#live = new LiveView(shared);
    this.#steps = new JobSteps({ ...shared, live: this.#live, service });
    this.#existing = new ExistingFiles({ steps: this.#steps, service });
    this.#names = new TakenNames({ ...shared, steps: this.#steps, existing: this.#existing, service });
    this.#runner = new UploadRunner({
      ...{ ...shared, live: this.#live, steps: this.#steps, names: this.#names },
      ...{ existing: this.#existing, service, onAdded, maxUploadSizeBytes },
    });
  }

  // For `useSyncExternalStore`.
  readonly subscribe = (listener: () => void): (() => void) => this.#live.subscribe(listener);

  readonly view = (): UploadsView => this.#live.view();

  /** Announces that more uploads will be added, until the returned function is called. */
  beginReading(): () => void {
    return this.#live.beginReading();
  }

  /** Shows that a dropped file or folder could not be read. @param path starts with the dropped folder */
  noteUnreadable(path: string): void {
    this.#live.noteUnreadable(path);
  }

  /**
   * @param batchId shared by files that were chosen together: the user can decide for all of them at once
   * @param driveId the target drive; undefined for the personal drive
   */
  add(directoryPath: string, picked: readonly Picked[], batchId: string, driveId: DriveId): void {
    if (!this.#isBusy()) this.clear();
    const detached = new DetachedJobs(this.#jobs.values());
    for (const one of picked) {
      const { file, folders, root } = one;
      const place = placeIn(directoryPath, one);
      if (this.#reattach(one, detached, { driveId, directoryPath: place.directoryPath })) continue;
      if (root !== undefined) this.#jobStore.saveRoot(root);
      const job = newJob({
        upload: {
          id: this.#parts.newId(),
          batchId,
          kind: file === undefined ? 'directory' : 'file',
          driveId,
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
      this.#steps.add(job);
    }
    this.#runner.startWaiting();
  }

  /** Takes over uploads that were started before the page was reloaded. */
  restore(saved: SavedUpload, access: Access): void {
    if (this.#jobs.has(saved.id)) return;
    const job = fromSaved(saved, access);
    this.#steps.add(job);
    if (job.upload.status !== 'waiting' && job.sessionId !== undefined) {
      void this.#refreshProgress(job, job.sessionId);
    }
    this.#runner.startWaiting();
  }

  /** Matches files with uploads that wait for them. Returns the number of matches. */
  attach(picked: readonly Picked[]): number {
    const detached = new DetachedJobs(this.#jobs.values());
    const found = picked.filter((one) => this.#reattach(one, detached)).length;
    this.#runner.startWaiting();
    return found;
  }

  /** Called when the user has allowed the page to read the files of a chosen folder or file. */
  permit(rootId: string): void {
    for (const job of this.#jobs.values()) {
      if (job.rootId === rootId && job.upload.status === 'detached') this.#steps.enqueue(job);
    }
    this.#runner.startWaiting();
  }

  /** The roots of uploads that wait for the user's permission to read their files. */
  rootsToPermit(): ReadonlySet<string> {
    const jobs = this.#chosen().filter(
      ({ upload }) => upload.status === 'detached' && upload.isRemembered && upload.isPostponed !== true,
    );
    return new Set(jobs.map(({ rootId }) => rootId).filter((id) => id !== undefined));
  }

  /** Pauses an upload, or all of them without an id. The same applies to the methods below. */
  pause(id?: string): void {
    for (const job of this.#chosen(id)) {
      if (!isMoving(job.upload)) continue;
      stopJob(job, 'paused');
      this.#steps.change(job, { status: 'paused' });
      this.#jobStore.put(job);
    }
  }

  resume(id?: string): void {
    for (const job of this.#chosen(id)) if (job.upload.status === 'paused') this.#steps.enqueue(job);
    this.#runner.startWaiting();
  }

  /** Retries failed uploads. */
  retry(id?: string): void {
    for (const job of this.#chosen(id)) {
      if (job.upload.status !== 'failed') continue;
      // The service would reject the same session again.
      if (job.upload.problem?.kind === 'refused') this.#steps.dropSession(job);
      job.tries = 0;
      job.decided = 0;
      this.#steps.enqueue(job);
    }
    this.#runner.startWaiting();
  }

  /** Cancels an upload and discards the bytes that have arrived. */
  cancel(id?: string): void {
    for (const job of this.#chosen(id)) {
      if (id === undefined && (isEnded(job.upload) || job.upload.isPostponed === true)) continue;
      stopJob(job, 'cancelled');
      this.#steps.dropSession(job);
      this.#steps.remove(job);
    }
    this.#runner.startWaiting();
  }

  /** Hides the uploads that wait for their files, now and on later visits. */
  postpone(): void {
    this.#setPostponed(true);
  }

  /** Shows postponed uploads again. */
  showPostponed(): void {
    this.#setPostponed(false);
  }

  #setPostponed(isPostponed: boolean): void {
    for (const job of this.#jobs.values()) {
      if (job.upload.status !== 'detached') continue;
      this.#steps.change(job, { isPostponed });
      this.#jobStore.put(job);
    }
  }

  /** Removes ended uploads from the list. */
  clear(): void {
    for (const job of this.#chosen()) if (isEnded(job.upload)) this.#steps.remove(job);
    this.#existing.reset();
    this.#live.reset();
  }

  /**
   * Decides about uploads whose names are taken.
   * @param forAll also applies to later conflicts of their batches
   */
  decide(decisions: ReadonlyMap<string, ConflictDecision>, forAll?: ConflictDecision): void {
    for (const [id, decision] of decisions) {
      const job = this.#jobs.get(id);
      if (job !== undefined) this.#names.decide(job, decision, forAll);
    }
    this.#runner.startWaiting();
  }

  /** Continues the uploads that wait for the service, which may be reachable again. */
  endOutage(): void {
    this.#runner.endOutage();
  }

  /** Stores and stops all uploads when another user logs in on this page. */
  stopAll(): void {
    this.#jobStore.flush();
    for (const job of this.#jobs.values()) stopJob(job, 'stopped');
    this.#outage.end();
    this.#jobs.clear();
    this.#jobStore.discardChanges();
    this.#names.reset();
    this.#existing.reset();
    this.#live.clearUnreadable();
    this.#live.show();
  }

  /** Whether closing the page would lose uploads whose files the user would have to choose again. */
  wouldLoseFiles(): boolean {
    return this.#chosen().some(
      ({ upload, rootId, onSettled }) =>
        // Files shared by other apps are not lost: the browser stores them until they are settled.
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

  /** Continues the upload that was waiting for exactly this file. Returns whether there was one. */
  #reattach(one: Picked, detached: DetachedJobs, target?: UploadFolder): boolean {
    const { file } = one;
    const job = detached.find(one, target);
    if (job === undefined || file === undefined) return false;
    job.open = async () => file;
    job.onSettled = one.onSettled;
    this.#steps.enqueue(job);
    return true;
  }

  /** Asks the service how much of a restored upload has arrived, unless it is being sent. */
  async #refreshProgress(job: Job, sessionId: string): Promise<void> {
    const session = await this.#parts.service
      .inDrive(job.upload.driveId)
      .getSession(sessionId, AbortSignal.timeout(30_000))
      .catch(() => undefined);
    if (session === undefined || job.sessionId !== sessionId || job.attempt !== undefined) return;
    if (session.status === 'COMPLETED') this.#steps.end(job, 'done');
    else if (session.runtime !== null) {
      this.#steps.change(job, { sentBytes: Math.min(job.upload.size, session.runtime.uploadedBytes) });
    }
  }
}
