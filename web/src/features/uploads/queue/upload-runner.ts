import { HoldallError } from '../../../../../client/src/errors/errors.ts';
import { errorOf } from '../../../../../client/src/errors/read-error.ts';
import type { DriveId } from '../../../api/in-drive.ts';
import { isOtherLimit } from '../../../common/service-sentences.ts';
import type { UploadService } from '../service/upload-service.ts';
import type { Problem, Upload } from '../upload.ts';
import { pathOf } from '../upload.ts';
import { FileChanged, NotPermitted, remedyFor, StoreFailure } from '../upload-failures.ts';
import type { ExistingFiles } from './existing-files.ts';
import type { JobSteps } from './job-steps.ts';
import type { JobStore } from './job-store.ts';
import { RequestLimit } from './request/request-limit.ts';
import { sendFile } from './request/send-file.ts';
import type { TakenNames } from './taken-names.ts';
import { CannotReplace, DifferentFile } from './taken-names.ts';
import { delayAfter } from './timing/back-off.ts';
import type { Outage } from './timing/outage.ts';
import { canRead, type Job } from './upload-job.ts';
import type { UploadSlots } from './upload-slots.ts';
import type { LiveView } from './uploads-view.ts';

/** The maximum number of attempts without progress after temporary failures. */
const MAX_TRIES = 5;

interface RunnerParts {
  readonly jobs: ReadonlyMap<string, Job>;
  readonly slots: UploadSlots;
  readonly outage: Outage;
  readonly jobStore: JobStore;
  readonly live: LiveView;
  readonly steps: JobSteps;
  readonly names: TakenNames;
  readonly existing: ExistingFiles;
  readonly service: UploadService;
  /** Called with each entry that was created. */
  readonly onAdded: (path: string, driveId: DriveId) => void;
  readonly maxUploadSizeBytes: (driveId: DriveId) => number;
}

/**
 * Sends waiting uploads to the service, a few at a time.
 *
 * There are three kinds of failure. While the service is unreachable, all uploads wait together, however long
 * that takes. A temporary failure is retried a few times. Any other failure ends the upload, and the user
 * decides.
 */
export class UploadRunner {
  readonly #parts: RunnerParts;
  readonly #requestLimit = new RequestLimit();

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  /** Starts as many uploads as there are free slots. Must be called whenever an upload starts to wait. */
  startWaiting(): void {
    const { jobs, slots, outage } = this.#parts;
    if (outage.isOn()) return;
    slots.startWaiting({
      isStillWaiting: (job) => job.upload.status === 'waiting' && jobs.get(job.upload.id) === job,
      start: (job) => void this.#run(job),
      maxRequestBytes: this.#maxRequestBytes(),
    });
  }

  /** Continues the uploads that wait for the service, which may be reachable again. */
  endOutage(): void {
    const { jobs, outage, steps } = this.#parts;
    outage.end();
    for (const job of jobs.values()) if (job.upload.status === 'delayed') steps.enqueue(job);
    this.startWaiting();
  }

  async #run(job: Job): Promise<void> {
    const { slots, outage, steps, onAdded } = this.#parts;
    const attempt = new AbortController();
    job.attempt = attempt;
    steps.change(job, { status: 'sending' });
    try {
      const outcome = await this.#uploadJob(job, attempt.signal);
      attempt.signal.throwIfAborted();
      outage.startOver();
      if (outcome === 'identical') return steps.endAsAlreadyHere(job);
      steps.end(job, 'done');
      onAdded(pathOf(job.upload), job.upload.driveId);
    } catch (error) {
      // The caller that aborted the upload has set its state.
      if (!attempt.signal.aborted) await this.#onFailure(job, attempt, error);
    } finally {
      if (job.attempt === attempt) job.attempt = undefined;
      slots.release(job);
      this.startWaiting();
    }
  }

  /** @throws HoldallError with the status 409 if the name is taken */
  async #uploadJob(job: Job, signal: AbortSignal): Promise<'sent' | 'identical'> {
    const { steps, names, existing, maxUploadSizeBytes } = this.#parts;
    const service = this.#parts.service.inDrive(job.upload.driveId);
    if (job.upload.kind === 'directory') return this.#makeDirectory(job, signal);
    if (job.open === undefined) throw new FileChanged();
    const file = await job.open();
    if (file.size !== job.upload.size) throw new FileChanged();
    if (file.size > maxUploadSizeBytes(job.upload.driveId)) throw errorOf(413, 'The file is too large.');
    // The existing file may be that of an interrupted attempt, whose answer was lost.
    if (job.decision === undefined && job.decided === 0 && !job.wasInterrupted) {
      const found = await existing.look(job, file, signal);
      if (found === 'identical') return found;
      if (found === 'different') throw new DifferentFile();
      if (found === 'taken') throw errorOf(409, 'The name is taken.');
    }
    await names.apply(job, signal);
    const { directoryPath, name } = job.upload;
    const { sessionId, parts, wasInterrupted } = job;
    const onConflict = job.decision === 'replace' ? 'NEW_VERSION' : 'FAIL';
    const maxRequestBytes = this.#maxRequestBytes();
    await sendFile(
      service,
      {
        destination: { directoryPath, name, onConflict },
        file,
        sessionId,
        parts,
        wasInterrupted,
        maxRequestBytes,
      },
      {
        signal,
        onProgress: (sentBytes) => {
          if (!signal.aborted) steps.change(job, { sentBytes });
        },
        onSession: (id) => {
          job.sessionId = id;
          job.parts = [];
          this.#saveNow(job);
        },
        onPart: (index) => {
          job.parts.push(index);
          this.#saveNow(job);
        },
        onMode: (mode) => this.#requestLimit.noteMode(mode),
      },
    );
    return 'sent';
  }

  #maxRequestBytes(): number {
    return this.#requestLimit.maxBytes(this.#parts.live.speed.at(performance.now()));
  }

  async #makeDirectory({ upload }: Job, signal: AbortSignal): Promise<'sent'> {
    try {
      await this.#parts.service.inDrive(upload.driveId).makeDirectory(pathOf(upload), signal);
    } catch (error) {
      // The folder exists already: the two are merged.
      if (!(error instanceof HoldallError && error.status === 409)) throw error;
    }
    return 'sent';
  }

  /** Stores the session immediately, because a reload would otherwise lose the bytes that have arrived. */
  #saveNow(job: Job): void {
    const { jobStore } = this.#parts;
    jobStore.put(job);
    jobStore.flush();
  }

  async #onFailure(job: Job, attempt: AbortController, error: unknown): Promise<void> {
    const { steps, names, maxUploadSizeBytes } = this.#parts;
    if (error instanceof NotPermitted) return steps.change(job, { status: 'detached' });
    if (error instanceof HoldallError && error.status === 401) return steps.change(job, { status: 'paused' });
    const isDifferent = error instanceof DifferentFile;
    if (isDifferent || (error instanceof HoldallError && error.status === 409)) {
      return names.onTaken(job, attempt, isDifferent);
    }
    const remedy = remedyFor(error);
    if (remedy !== 'stop') {
      // Browsers report an unreadable file with the same error as a broken connection.
      const isReadable = await canRead(job);
      if (attempt.signal.aborted) return;
      if (!isReadable) return steps.end(job, 'failed', { kind: 'changed' });
      job.wasInterrupted = true;
      if (job.upload.sentBytes > job.sentBefore) job.tries = 0;
      job.sentBefore = job.upload.sentBytes;
      if (remedy === 'wait') return this.#beginOutage(job, error);
      job.tries += 1;
      if (job.tries < MAX_TRIES) return this.#delay(job);
    }
    steps.end(job, 'failed', problemOf(error, job.upload, maxUploadSizeBytes(job.upload.driveId)));
  }

  /** Lets all uploads wait, because the service is unreachable. */
  #beginOutage(job: Job, error: unknown): void {
    const { outage, live, steps } = this.#parts;
    steps.change(job, { status: 'delayed' });
    if (outage.isOn()) return;
    outage.begin(error, () => this.endOutage());
    live.show();
  }

  #delay(job: Job): void {
    const { steps } = this.#parts;
    steps.change(job, { status: 'delayed' });
    const again = () => {
      steps.enqueue(job);
      this.startWaiting();
    };
    job.timer = setTimeout(again, delayAfter(job.tries, undefined, Math.random()));
  }
}

/** The problem to show for an error that ended an upload. */
function problemOf(error: unknown, { size }: Upload, maxUploadSizeBytes: number): Problem {
  if (error instanceof FileChanged) return { kind: 'changed' };
  if (error instanceof CannotReplace) return { kind: error.kind };
  if (error instanceof StoreFailure) return { kind: 'store' };
  if (!(error instanceof HoldallError)) return { kind: 'unknown' };
  if (error.status !== 413 || isOtherLimit(error.message)) return { kind: 'refused', error };
  return size > maxUploadSizeBytes
    ? { kind: 'too-large', limit: maxUploadSizeBytes }
    : { kind: 'over-quota' };
}
