import { freeName } from '../../../common/names/free-name.ts';
import type { ConflictDecision } from '../../entries/conflicts/conflict-questions.ts';
import type { UploadService } from '../service/upload-service.ts';
import type { ExistingFiles } from './existing-files.ts';
import type { JobSteps } from './job-steps.ts';
import type { JobStore } from './job-store.ts';
import type { Job } from './upload-job.ts';

/** Thrown if the name belongs to an entry that cannot be replaced. */
export class CannotReplace extends Error {
  readonly kind: 'folder-in-the-way';

  constructor(kind: 'folder-in-the-way') {
    super(kind);
    this.kind = kind;
  }
}

/** Thrown if a file with other bytes has the name. */
export class DifferentFile extends Error {
  constructor() {
    super('The name belongs to a different file.');
    this.name = 'DifferentFile';
  }
}

interface NameParts {
  readonly jobs: ReadonlyMap<string, Job>;
  readonly steps: JobSteps;
  readonly jobStore: JobStore;
  readonly existing: ExistingFiles;
  readonly service: UploadService;
}

/**
 * Decisions about uploads whose names are taken. The user decides for one upload, or for the whole batch of
 * files that were chosen together.
 */
export class TakenNames {
  readonly #parts: NameParts;
  /** Decisions by batch, which also apply to later conflicts of the batch. */
  readonly #decisions = new Map<string, ConflictDecision>();

  constructor(parts: NameParts) {
    this.#parts = parts;
  }

  /** @param forAll also applies to later name conflicts of the batch */
  decide(job: Job, decision: ConflictDecision, forAll: ConflictDecision | undefined): void {
    if (forAll !== undefined) this.#decisions.set(job.upload.batchId, forAll);
    if (job.upload.status === 'taken') this.#follow(job, decision);
  }

  /**
   * Called when the name is taken.
   * @param isCompared whether the file that has the name was compared already
   */
  async onTaken(job: Job, attempt: AbortController, isCompared: boolean): Promise<void> {
    const { service, existing, steps } = this.#parts;
    if (isCompared) return this.#resolve(job);
    if (job.decided === 0) {
      const isThere = await existing.isThere(job, attempt.signal).catch(() => false);
      if (attempt.signal.aborted) return;
      if (isThere) return steps.endAsAlreadyHere(job);
    } else {
      const entry = await service
        .inDrive(job.upload.driveId)
        .findEntry(job.upload)
        .catch(() => 'unknown' as const);
      if (attempt.signal.aborted) return;
      // The name is free, so the conflict is in the path: one of its folders is a file.
      if (entry === undefined) return steps.end(job, 'failed', { kind: 'parent-is-file' });
    }
    this.#resolve(job);
  }

  /** Follows the decision about the batch, or lets the user decide. */
  #resolve(job: Job): void {
    const decision = this.#decisions.get(job.upload.batchId);
    if (decision === undefined) this.#parts.steps.change(job, { status: 'taken' });
    else this.#follow(job, decision);
  }

  /**
   * Applies the decision about a taken name. A decision to replace stays with the upload, because the service
   * replaces the content only when all bytes have arrived.
   */
  async apply(job: Job, signal: AbortSignal): Promise<void> {
    const { jobs, steps, jobStore } = this.#parts;
    const { decision, upload } = job;
    const service = this.#parts.service.inDrive(upload.driveId);
    if (decision === 'keep-both') {
      const taken = new Set(await service.listNamesLike(upload, signal));
      for (const other of jobs.values()) {
        const { status, driveId, directoryPath, name } = other.upload;
        const isBeside = driveId === upload.driveId && directoryPath === upload.directoryPath;
        if (isBeside && status !== 'skipped') taken.add(name);
      }
      steps.dropSession(job);
      steps.change(job, { name: freeName(upload.name, taken) });
      job.decision = undefined;
      jobStore.put(job);
    } else if (decision === 'replace') {
      const entry = await service.findEntry(upload, signal);
      if (entry?.directory === true) throw new CannotReplace('folder-in-the-way');
    }
  }

  /** Clears all decisions. */
  reset(): void {
    this.#decisions.clear();
  }

  #follow(job: Job, decision: ConflictDecision): void {
    const { steps, jobStore } = this.#parts;
    job.decided += 1;
    if (decision === 'skip') {
      steps.dropSession(job);
      steps.end(job, 'skipped');
      return;
    }
    job.decision = decision;
    jobStore.put(job);
    steps.enqueue(job);
  }
}
