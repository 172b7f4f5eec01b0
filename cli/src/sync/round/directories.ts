import { parentOf } from '../rules/path-map.ts';
import type { Round } from './round.ts';

/** Creates on one side the directories that the other side has, with their parents. */
export class Directories {
  readonly #round: Round;

  constructor(round: Round) {
    this.#round = round;
  }

  makeLocal(path: string): void {
    if (path === '') return;
    const { local, localActions, isDryRun } = this.#round.parts;
    const { local: found, remote } = this.#round.entriesOf(path);
    if (found?.isDirectory === true) return;
    this.makeLocal(parentOf(path));
    this.#round.step('make-local');
    if (!isDryRun) localActions.makeDirectory(path);
    const made = local.entries.get(path);
    if (made !== undefined && remote !== undefined) this.#round.setBase(path, made, remote, null);
    this.#round.did('make-local', path);
  }

  async makeRemote(path: string): Promise<void> {
    if (path === '') return;
    const { remoteActions, isDryRun } = this.#round.parts;
    const { local: found, remote } = this.#round.entriesOf(path);
    if (remote?.isDirectory === true) return;
    await this.makeRemote(parentOf(path));
    this.#round.step('make-remote');
    if (isDryRun) return this.#round.did('make-remote', path);
    const made = await remoteActions.makeDirectory(path);
    if (found !== undefined) this.#round.setBase(path, found, made, null);
    this.#round.did('make-remote', path);
  }
}
