import type { Terminal } from '../drive-command.ts';
import { toJsonLine } from '../terminal/escape.ts';
import { printable } from '../terminal/format.ts';
import { TransferProgress } from '../terminal/transfer-progress.ts';

/** The actions of the sync, by the names that `--json` prints. */
export type ActionName =
  | 'upload'
  | 'download'
  /** Creates a directory. */
  | 'make-local'
  | 'make-remote'
  | 'move-local'
  | 'move-remote'
  | 'delete-local'
  | 'delete-remote'
  | 'conflict-local'
  | 'conflict-remote'
  /** Leaves a change on disk, because the user may not change the drive. */
  | 'hold-back';

const PHRASES: Readonly<Record<ActionName, string>> = {
  upload: 'upload',
  download: 'download',
  'make-local': 'make on disk',
  'make-remote': 'make in the drive',
  'move-local': 'move on disk',
  'move-remote': 'move in the drive',
  'delete-local': 'delete on disk',
  'delete-remote': 'delete in the drive',
  'conflict-local': 'conflict, rename on disk',
  'conflict-remote': 'conflict, rename in the drive',
  'hold-back': 'hold back',
};

/** Prints the actions and the messages of the sync. */
export class SyncReport {
  readonly progress: TransferProgress;
  readonly #terminal: Terminal;
  readonly #isVerbose: boolean;
  readonly #isJson: boolean;
  readonly #isDryRun: boolean;
  /** The messages already printed by this watch. They would otherwise be repeated with every change. */
  readonly #said = new Set<string>();

  constructor(
    terminal: Terminal,
    options: { readonly isVerbose: boolean; readonly isJson: boolean; readonly isDryRun: boolean },
  ) {
    this.#terminal = terminal;
    this.progress = new TransferProgress(terminal);
    this.#isVerbose = options.isVerbose;
    this.#isJson = options.isJson;
    this.#isDryRun = options.isDryRun;
  }

  /** Call it when the action is done, or with `--dry-run` instead of doing it. */
  did(action: ActionName, path: string, to?: string): void {
    if (this.#isJson) this.#terminal.print(toJsonLine({ action, path, ...(to === undefined ? {} : { to }) }));
    const text = `${PHRASES[action]}: ${path}${to === undefined ? '' : ` -> ${to}`}`;
    if (this.#isDryRun && !this.#isJson) this.#terminal.print(printable(text));
    // A conflict is always reported, because it leaves a file with a new name.
    else if (!this.#isJson && (this.#isVerbose || action.startsWith('conflict')))
      this.#terminal.note(printable(text));
    if (action === 'upload' || action === 'download') this.progress.addFile();
  }

  /** Reports once that a change on disk is not uploaded. */
  heldBack(path: string): void {
    if (this.#isNew(`held back: ${path}`)) this.did('hold-back', path);
  }

  failed(path: string, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (this.#isNew(`${path}: ${message}`)) this.progress.addFailed(path, error);
  }

  /** Reports once that a symbolic link or special file is left out. */
  skipped(path: string): void {
    const text = `${path}: skipped, because it is not a file.`;
    if (this.#isNew(text)) this.#terminal.note(printable(text));
  }

  /** Reports once that a directory stays although it was deleted in the drive. */
  kept(path: string): void {
    const text = `${path}: deleted in the drive, but it stays here, because it has files that are not synced.`;
    if (this.#isNew(text)) this.#terminal.note(printable(text));
  }

  note(text: string): void {
    this.#terminal.note(printable(text));
  }

  #isNew(text: string): boolean {
    if (this.#said.has(text)) return false;
    this.#said.add(text);
    return true;
  }
}
