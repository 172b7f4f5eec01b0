// Paths that name their drive: `drive:Team/Plans` is in the shared drive `Team`, all others in the personal one.
import { type DriveRecord, type Holdall, NotFoundError } from '../../client/src/client.ts';
import { type DriveContext, UsageError } from './drive-command.ts';
import { toRemotePath } from './remote-path.ts';
import { printable } from './terminal/format.ts';

const PREFIX = 'drive:';

/** A path in one of the user's drives. */
export interface RemotePlace {
  /** Works in the drive of the path. */
  readonly holdall: Holdall;
  /** Undefined for the personal drive. */
  readonly drive: SharedDrive | undefined;
  /** An absolute path in the drive. */
  readonly path: string;
}

export interface SharedDrive extends DriveRecord {
  readonly name: string;
}

/** Whether a path that a user typed names its drive. */
export function namesDrive(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** The drives that the paths of a command are in. The list of drives is requested at most once. */
export class DrivePaths {
  /** Works in the personal drive. */
  readonly personal: Holdall;
  readonly #signal: AbortSignal;
  #drives: Promise<readonly DriveRecord[]> | undefined;

  private constructor(holdall: Holdall, signal: AbortSignal) {
    this.personal = holdall;
    this.#signal = signal;
  }

  /** @param clientId as for `DriveContext.open` @throws NotLoggedIn */
  static async open({ open, signal }: DriveContext, clientId?: string): Promise<DrivePaths> {
    return new DrivePaths(await open(clientId), signal);
  }

  /** Does the same as {@link find}, for a command with one path. @throws NotLoggedIn */
  static async findOne(context: DriveContext, text: string): Promise<RemotePlace> {
    return await (await DrivePaths.open(context)).find(text);
  }

  /**
   * Finds the drive of a path that a user typed.
   * @throws UsageError if several drives have the name; NotFoundError if none has it; HoldallError
   */
  async find(text: string): Promise<RemotePlace> {
    if (!namesDrive(text)) return { holdall: this.personal, drive: undefined, path: toRemotePath(text) };
    const [name = '', ...segments] = text.slice(PREFIX.length).split('/');
    if (name === '') throw new UsageError(`"${text}" lacks the drive, as in ${PREFIX}Team/Plans.`);
    const drive = await this.#findDrive(name);
    const path = toRemotePath(segments.join('/'));
    if (!isShared(drive)) return { holdall: this.personal, drive: undefined, path };
    return { holdall: this.personal.inDrive(drive.id), drive, path };
  }

  /** Like {@link find}, for several paths. */
  async findAll(texts: readonly string[]): Promise<readonly RemotePlace[]> {
    const places: RemotePlace[] = [];
    for (const text of texts) places.push(await this.find(text));
    return places;
  }

  /** The id of a place's drive. @throws HoldallError */
  async idOf({ drive }: Pick<RemotePlace, 'drive'>): Promise<number> {
    if (drive !== undefined) return drive.id;
    const personal = (await this.#list()).find(({ kind }) => kind === 'PERSONAL');
    if (personal === undefined) throw new NotFoundError('You have no personal drive.');
    return personal.id;
  }

  async #findDrive(text: string): Promise<DriveRecord> {
    const name = text.normalize('NFC');
    const found = (await this.#list()).filter((drive) => namesOf(drive).includes(name));
    const [drive, ...more] = found;
    if (drive === undefined) {
      throw new NotFoundError(`There is no drive "${printable(text)}". "holdall drives" lists yours.`);
    }
    if (more.length === 0) return drive;
    const names = found.map((each) => `"${printable(each.name ?? '')}" (id ${each.id})`).join(' and ');
    throw new UsageError(
      `"${printable(text)}" means ${found.length} drives: ${names}. Write the id, as in ${PREFIX}${drive.id}.`,
    );
  }

  #list(): Promise<readonly DriveRecord[]> {
    this.#drives ??= this.personal.drives.list({ signal: this.#signal });
    return this.#drives;
  }
}

/** How a path may name a drive: by its id, and if it is shared, by its name, or both as in WebDAV. */
function namesOf({ id, name }: DriveRecord): readonly string[] {
  return name === null ? [`${id}`] : [`${id}`, name, `${name} (${id})`];
}

function isShared(drive: DriveRecord): drive is SharedDrive {
  return drive.kind === 'SHARED' && drive.name !== null;
}
