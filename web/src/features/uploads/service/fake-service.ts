import { errorOf } from '../../../../../client/src/errors/read-error.ts';
import type {
  EntryRecord,
  SessionRecord,
  SessionWithRuntime,
  UploadTarget,
} from '../../../../../client/src/generated/records.ts';
import type { Place } from '../files/picked-files.ts';
import { pathOf } from '../upload.ts';
import type { Comparison, ConflictRule, Destination, UploadService, Watch } from './upload-service.ts';

/** A service for tests: it records its calls and fails on demand. */
export class FakeService implements UploadService {
  inDrive(): this {
    return this;
  }

  static readonly CHUNK = 512 * 1024;

  readonly calls: string[] = [];
  /** Each of the next calls fails with one of these errors, except for calls to the store. */
  readonly failures: Error[] = [];
  readonly putFailures: Error[] = [];
  /** Existing paths. */
  readonly taken = new Map<string, 'file' | 'directory'>();
  mode = 'PROXY';
  status = 'UPLOADING';
  isSameBytes = false;
  /** Whether directories are small enough to be listed. */
  isListed = false;
  /** The received bytes of every session; undefined if the service does not report them. */
  arrivedBytes: number | undefined;
  mostAtOnce = 0;
  /** Transfers start once it resolves, so a test can delay them. */
  gate: Promise<void> = Promise.resolve();
  #atOnce = 0;
  #sessions = 0;

  async makeDirectory(path: string): Promise<void> {
    this.#note(`mkdir ${path}`);
    if (this.taken.has(path)) throw errorOf(409, 'taken');
  }

  async uploadWhole(place: Destination, file: File, { signal, onProgress }: Watch): Promise<void> {
    this.#note(`whole ${pathOf(place)}${place.onConflict === 'FAIL' ? '' : ' as a new version'}`);
    await this.#carry(signal);
    this.#take(place);
    onProgress(file.size);
  }

  async openSession(place: Destination, file: File): Promise<SessionRecord> {
    this.#note(`open ${pathOf(place)}${place.onConflict === 'FAIL' ? '' : ' as a new version'}`);
    if (this.#isRefused(place)) throw errorOf(409, 'taken');
    this.#sessions += 1;
    return this.#session(`s${this.#sessions}`, file.size);
  }

  async getSession(sessionId: string, signal: AbortSignal): Promise<SessionWithRuntime> {
    this.#note(`get ${sessionId}`);
    signal.throwIfAborted();
    const session = this.#session(sessionId, 5 * FakeService.CHUNK - 10);
    const { arrivedBytes: uploadedBytes } = this;
    if (uploadedBytes === undefined) return { ...session, runtime: null };
    const progress = {
      phase: '',
      uploadedPartCount: 0,
      progressPercent: 0,
      lastUpdatedAt: '',
      expiresAt: '',
    };
    return { ...session, runtime: { ...progress, uploadedBytes } };
  }

  async cancelSession(sessionId: string): Promise<void> {
    this.#note(`cancel ${sessionId}`);
  }

  async completeSession(_session: SessionRecord, onConflict: ConflictRule): Promise<void> {
    this.#note(onConflict === 'FAIL' ? 'complete' : 'complete as a new version');
  }

  async sendResumable(sessionId: string, file: File, { signal, onProgress }: Watch): Promise<void> {
    this.#note(`resume ${sessionId}`);
    onProgress(file.size / 2);
    await this.#carry(signal);
    onProgress(file.size);
  }

  async prepare(): Promise<UploadTarget> {
    this.#note('prepare');
    return { direct: true, uploadUrl: '', method: 'PUT', headers: {}, storageName: null };
  }

  async preparePart(): Promise<UploadTarget> {
    return { direct: true, uploadUrl: '', method: 'PUT', headers: {}, storageName: null };
  }

  async recordPart(): Promise<void> {}

  async put(_target: UploadTarget, bytes: Blob, { signal, onProgress }: Watch): Promise<string> {
    if (this.mode === 'DIRECT_SINGLE') this.#note(`put ${bytes.size}`);
    const failure = this.putFailures.shift();
    this.#atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#atOnce);
    onProgress(0);
    await this.#carry(signal);
    this.#atOnce -= 1;
    if (failure !== undefined) throw failure;
    return 'tag';
  }

  async listDirectory(path: string): Promise<ReadonlyMap<string, EntryRecord> | undefined> {
    if (!this.isListed) return undefined;
    this.calls.push(`list ${path}`);
    const entries = new Map<string, EntryRecord>();
    for (const taken of this.taken.keys()) {
      const name = taken.slice(taken.lastIndexOf('/') + 1);
      const entry = this.#entryAt({ directoryPath: path, name });
      if (entry !== undefined) entries.set(name, entry);
    }
    return entries;
  }

  async findEntry(place: Place): Promise<EntryRecord | undefined> {
    this.calls.push(`find ${pathOf(place)}`);
    return this.#entryAt(place);
  }

  #entryAt(place: Place): EntryRecord | undefined {
    const path = pathOf(place);
    const kind = this.taken.get(path) ?? (this.isSameBytes ? 'file' : undefined);
    if (kind === undefined) return undefined;
    return {
      ...{
        id: 7,
        driveId: 1,
        filename: place.name,
        path,
        parentPath: place.directoryPath,
        size: 3,
        contentType: null,
      },
      ...{
        directory: kind === 'directory',
        createdAt: '',
        updatedAt: '',
        modifiedAt: '',
        starred: false,
        thumbnailVersion: null,
      },
    };
  }

  async listNamesLike({ directoryPath }: Place): Promise<ReadonlySet<string>> {
    const start = directoryPath === '/' ? '/' : `${directoryPath}/`;
    return new Set(Array.from(this.taken.keys(), (path) => path.slice(start.length)));
  }

  async compare(_entry: EntryRecord): Promise<Comparison> {
    this.#note('compare');
    return this.isSameBytes ? 'same' : 'different';
  }

  #note(call: string): void {
    this.calls.push(call);
    const failure = this.failures.shift();
    if (failure !== undefined) throw failure;
  }

  #take(place: Destination): void {
    if (this.#isRefused(place)) throw errorOf(409, 'taken');
    this.taken.set(pathOf(place), 'file');
  }

  #isRefused(place: Destination): boolean {
    const kind = this.taken.get(pathOf(place));
    return place.onConflict === 'FAIL' ? kind !== undefined : kind === 'directory';
  }

  async #carry(signal: AbortSignal): Promise<void> {
    await Promise.race([this.gate, new Promise((_, reject) => signal.addEventListener('abort', reject))]);
    signal.throwIfAborted();
  }

  #session(sessionId: string, size: number): SessionRecord {
    return {
      ...{ sessionId, objectKey: '', directUpload: false, multipartUpload: false, uploadMode: this.mode },
      ...{ path: '/', filename: '', contentType: '', size, storagePolicyId: 1, status: this.status },
      ...{ chunkSize: FakeService.CHUNK, chunkCount: Math.ceil(size / FakeService.CHUNK), fileId: null },
      ...{ expiresAt: '', createdAt: '', updatedAt: '', modifiedAt: null, strategy: { completeUrl: '' } },
    };
  }
}
