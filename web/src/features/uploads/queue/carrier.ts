import { ApiError } from '../../../api/api-error.ts';
import type { UploadService } from '../service/upload-service.ts';
import type { Problem, Upload } from '../upload.ts';
import { pathOf } from '../upload.ts';
import { FileChanged, NotPermitted, remedyFor, StoreFailure } from '../upload-failures.ts';
import { delayAfter } from './back-off.ts';
import type { JobSteps } from './job-steps.ts';
import type { KeptJobs } from './kept-jobs.ts';
import type { Outage } from './outage.ts';
import { sendFile } from './send-file.ts';
import type { TakenNames } from './taken-names.ts';
import { InTheWay } from './taken-names.ts';
import { canRead, type Job } from './upload-job.ts';
import type { UploadSlots } from './upload-slots.ts';
import type { LiveView } from './uploads-view.ts';

/** Attempts at what goes wrong by chance, without a byte more arriving. */
const MOST_TRIES = 5;

export interface CarrierParts {
  readonly jobs: ReadonlyMap<string, Job>;
  readonly slots: UploadSlots;
  readonly outage: Outage;
  readonly kept: KeptJobs;
  readonly live: LiveView;
  readonly steps: JobSteps;
  readonly names: TakenNames;
  readonly service: UploadService;
  /** Hears of each entry that has come into being. */
  readonly onAdded: (path: string) => void;
  readonly maxUploadSizeBytes: () => number;
}

/**
 * Brings those that wait to the service, a few at a time.
 *
 * Three kinds of failure are told apart: when the service is out of reach all wait together, as long as it takes; what may go
 * wrong by chance is tried a few times more; anything else ends the upload, and the person decides.
 */
export class Carrier {
  readonly #parts: CarrierParts;

  constructor(parts: CarrierParts) {
    this.#parts = parts;
  }

  /** Begins with as many as there is room for. To be called whenever somebody waits who did not wait before. */
  fill(): void {
    const { jobs, slots, outage } = this.#parts;
    if (outage.isOn()) return;
    slots.startWaiting(
      (job) => job.upload.status === 'waiting' && jobs.get(job.upload.id) === job,
      (job) => void this.#run(job),
    );
  }

  /** The way to the service may be open again. */
  goOn(): void {
    const { jobs, outage, steps } = this.#parts;
    outage.end();
    for (const job of jobs.values()) if (job.upload.status === 'delayed') steps.enqueue(job);
    this.fill();
  }

  async #run(job: Job): Promise<void> {
    const { slots, outage, steps, onAdded } = this.#parts;
    const attempt = new AbortController();
    job.attempt = attempt;
    steps.change(job, { status: 'sending' });
    try {
      await this.#carry(job, attempt.signal);
      attempt.signal.throwIfAborted();
      outage.startOver();
      steps.end(job, 'done');
      onAdded(pathOf(job.upload));
    } catch (error) {
      // Whoever has stopped it has said what it is now.
      if (!attempt.signal.aborted) await this.#onFailure(job, attempt, error);
    } finally {
      if (job.attempt === attempt) job.attempt = undefined;
      slots.release(job);
      this.fill();
    }
  }

  async #carry(job: Job, signal: AbortSignal): Promise<void> {
    const { service, steps, names, maxUploadSizeBytes } = this.#parts;
    if (job.upload.kind === 'directory') return this.#makeDirectory(job, signal);
    if (job.open === undefined) throw new FileChanged();
    const file = await job.open();
    if (file.size !== job.upload.size) throw new FileChanged();
    if (file.size > maxUploadSizeBytes()) throw new ApiError(413, 'The file is too large.');
    await names.makeRoom(job, signal);
    const { directoryPath, name } = job.upload;
    const { sessionId, parts, wasCutOff } = job;
    await sendFile(
      service,
      { place: { directoryPath, name }, file, sessionId, parts, wasCutOff },
      {
        signal,
        onProgress: (sentBytes) => {
          if (!signal.aborted) steps.change(job, { sentBytes });
        },
        onSession: (id) => {
          job.sessionId = id;
          job.parts = [];
          this.#keepAtOnce(job);
        },
        onPart: (index) => {
          job.parts.push(index);
          this.#keepAtOnce(job);
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

  /** What has arrived would have to go again if the page went away before it is remembered. */
  #keepAtOnce(job: Job): void {
    const { kept } = this.#parts;
    kept.keep(job);
    kept.store();
  }

  async #onFailure(job: Job, attempt: AbortController, error: unknown): Promise<void> {
    const { steps, names, maxUploadSizeBytes } = this.#parts;
    if (error instanceof NotPermitted) return steps.change(job, { status: 'detached' });
    if (error instanceof ApiError && error.status === 401) return steps.change(job, { status: 'paused' });
    if (error instanceof ApiError && error.status === 409) return names.onTaken(job, attempt);
    const remedy = remedyFor(error);
    if (remedy !== 'stop') {
      // The browser says of a file that it cannot read what it says of a line that is cut.
      const isThere = await canRead(job);
      if (attempt.signal.aborted) return;
      if (!isThere) return steps.end(job, 'failed', { kind: 'changed' });
      job.wasCutOff = true;
      if (job.upload.sentBytes > job.sentBefore) job.tries = 0;
      job.sentBefore = job.upload.sentBytes;
      if (remedy === 'wait') return this.#holdAll(job, error);
      job.tries += 1;
      if (job.tries < MOST_TRIES) return this.#delay(job);
    }
    steps.end(job, 'failed', problemOf(error, job.upload, maxUploadSizeBytes()));
  }

  /** The service is out of reach, for this one and for the others. */
  #holdAll(job: Job, error: unknown): void {
    const { outage, live, steps } = this.#parts;
    steps.change(job, { status: 'delayed' });
    if (outage.isOn()) return;
    outage.begin(error, () => this.goOn());
    live.show();
  }

  #delay(job: Job): void {
    const { steps } = this.#parts;
    steps.change(job, { status: 'delayed' });
    const again = () => {
      steps.enqueue(job);
      this.fill();
    };
    job.timer = setTimeout(again, delayAfter(job.tries, undefined, Math.random()));
  }
}

/** What a person is told of an error that has ended an upload. */
function problemOf(error: unknown, { size }: Upload, maxUploadSizeBytes: number): Problem {
  if (error instanceof FileChanged) return { kind: 'changed' };
  if (error instanceof InTheWay) return { kind: error.kind };
  if (error instanceof StoreFailure) return { kind: 'store' };
  if (!(error instanceof ApiError)) return { kind: 'unknown' };
  if (error.status !== 413) return { kind: 'refused', error };
  return { kind: size > maxUploadSizeBytes ? 'too-large' : 'over-quota' };
}
