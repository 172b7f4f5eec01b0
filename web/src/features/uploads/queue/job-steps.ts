import type { UploadService } from '../service/upload-service.ts';
import type { Problem, Upload } from '../upload.ts';
import type { JobStore } from './job-store.ts';
import type { Outage } from './timing/outage.ts';
import type { Job } from './upload-job.ts';
import type { UploadSlots } from './upload-slots.ts';
import type { LiveView } from './uploads-view.ts';

interface StepParts {
  readonly jobs: Map<string, Job>;
  readonly slots: UploadSlots;
  readonly outage: Outage;
  readonly jobStore: JobStore;
  readonly live: LiveView;
  readonly service: UploadService;
}

/** The transitions of a job. All changes of uploads go through here, so listeners are always notified. */
export class JobSteps {
  readonly #parts: StepParts;

  constructor(parts: StepParts) {
    this.#parts = parts;
  }

  add(job: Job): void {
    const { jobs, jobStore, live } = this.#parts;
    jobs.set(job.upload.id, job);
    jobStore.put(job);
    if (job.upload.status === 'waiting') this.enqueue(job);
    live.show();
  }

  /** Lets the upload wait for a free slot. */
  enqueue(job: Job): void {
    clearTimeout(job.timer);
    // The upload is no longer postponed: if it is interrupted again, the user is told.
    if (job.upload.isPostponed === true) this.#parts.jobStore.put(job);
    this.change(job, { status: 'waiting', problem: undefined, isPostponed: false });
    this.#parts.slots.enqueue(job);
  }

  change(job: Job, change: Partial<Upload>): void {
    const { live, outage } = this.#parts;
    const sent = (change.sentBytes ?? job.upload.sentBytes) - job.upload.sentBytes;
    if (sent > 0 && job.upload.status === 'sending') {
      outage.startOver();
      live.speed.add(sent, performance.now());
    }
    job.upload = { ...job.upload, ...change };
    live.show();
  }

  end(job: Job, status: 'done' | 'skipped' | 'failed', problem?: Problem): void {
    this.change(job, { status, problem, ...(status === 'done' ? { sentBytes: job.upload.size } : {}) });
    this.#parts.jobStore.remove(job);
    if (status !== 'failed') job.onSettled?.();
  }

  /** Ends an upload whose file was in the folder before. */
  endAsAlreadyHere(job: Job): void {
    this.dropSession(job);
    this.change(job, { isAlreadyHere: true });
    this.end(job, 'done');
  }

  /** Discards the bytes that have arrived. */
  dropSession(job: Job): void {
    const { sessionId } = job;
    job.sessionId = undefined;
    job.parts = [];
    // If this fails, the session expires after a day.
    if (sessionId !== undefined) {
      const service = this.#parts.service.inDrive(job.upload.driveId);
      void service.cancelSession(sessionId).catch(() => undefined);
    }
  }

  remove(job: Job): void {
    const { jobs, jobStore, live } = this.#parts;
    jobs.delete(job.upload.id);
    jobStore.remove(job);
    live.show();
  }
}
