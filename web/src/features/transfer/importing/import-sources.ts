// The sources of files that are imported into the drive: files that the service stores, a stored transfer
// that only this page can decrypt, or a transfer that this page has received.

import type { ConflictRule } from '../../../../../client/src/client.ts';
import { BlockPlan } from '../../../../../client/src/transfer/blocks/block-plan.ts';
import { Incoming } from '../../../../../client/src/transfer/blocks/incoming.ts';
import { TransferFault } from '../../../../../client/src/transfer/connection/line.ts';
import { type OpenedTransfer, onlyFile } from '../../../../../client/src/transfer/session/opened-transfer.ts';
import { addressOf } from '../../../api/address-of.ts';
import { ask } from '../../../api/ask.ts';
import { type DirectoryPlace, findEntry, findFreeName } from '../../entries/find-entry.ts';
import { openHiddenPlace } from '../saving/places.ts';
import type { HiddenPlace, SavePlace } from '../saving/save-place.ts';
import { fetchStored } from '../session/stored/fetch-stored.ts';
import { postWithProgress } from '../session/stored/send-with-progress.ts';

type Path = readonly string[];

interface ImportWatch {
  readonly signal: AbortSignal;
  /** Called with the progress of the step, from 0 to 1. */
  readonly onPart: (part: number) => void;
}

/** A name in a directory of a drive, and what to do if it is taken. */
interface Destination extends DirectoryPlace {
  readonly name: string;
  readonly onConflict: ConflictRule;
}

/** Puts a prepared file into the drive. May be called again. @throws HoldallError; `signal.reason` */
type PutFile = (destination: Destination, watch: ImportWatch) => Promise<void>;

/** A file that can be imported repeatedly. */
export interface ImportSource {
  /** Its folders and its name. */
  readonly path: Path;
  readonly size: number;
  /** How much of the progress the preparation counts for, from 0 to 1. */
  readonly preparation: number;
  /**
   * Downloads the file to this page if needed.
   * @throws HoldallError; TransferFault; NoPlace; `signal.reason`
   */
  prepare(watch: ImportWatch): Promise<PutFile>;
  /** Called when the file is in the drive, or the attempt has failed. */
  release(): Promise<void>;
}

/** Stored files that the service imports itself, without copying bytes. */
export function storedImports(
  session: OpenedTransfer['session'],
  paths: readonly Path[],
): readonly ImportSource[] {
  return session.files.map(({ id, size }, index) => ({
    path: paths[index] ?? [],
    size,
    preparation: 0,
    prepare: async () => async (destination, watch) => {
      const { drive, directory, onConflict } = destination;
      const path = { sessionId: session.sessionId, fileId: id };
      const call = { path, body: { path: directory, onConflict }, drive, signal: watch.signal };
      await ask('POST /api/transfer/sessions/{sessionId}/files/{fileId}/import', call);
    },
    release: async () => undefined,
  }));
}

/**
 * Encrypted stored files. The service cannot read them, so this page decrypts and uploads each one.
 */
export function sealedImports(opened: OpenedTransfer, paths: readonly Path[]): readonly ImportSource[] {
  const sizes = opened.session.files.map(({ size }) => size);
  let place: Promise<HiddenPlace> | undefined;
  const open = async () => {
    // Each file is removed before the next one is fetched, so the largest one decides how much room is
    // needed.
    place ??= openHiddenPlace(paths, Math.max(...sizes));
    try {
      return await place;
    } catch (error) {
      place = undefined;
      throw error;
    }
  };
  return sizes.map((size, index) => ({
    path: paths[index] ?? [],
    size,
    preparation: 0.5,
    prepare: async ({ signal, onPart }) => {
      const hidden = await open();
      const plan = new BlockPlan([size]);
      const incoming = new Incoming(plan, { begin: () => hidden.begin(index) }, (step) =>
        onPart(plan.bytesOfFileBefore(0, step) / Math.max(1, size)),
      );
      try {
        await fetchStored(onlyFile(opened, index), incoming, signal);
      } catch (error) {
        await incoming.stop();
        throw error;
      }
      return putInto(await hidden.find(index));
    },
    release: async () => await (await place)?.remove(index),
  }));
}

/** Files that were sent from browser to browser. */
export function receivedImports(
  place: SavePlace,
  files: readonly { readonly size: number }[],
  paths: readonly Path[],
): readonly ImportSource[] {
  return files.map(({ size }, index) => ({
    path: paths[index] ?? [],
    size,
    preparation: 0,
    prepare: async () => putInto(await place.find(index)),
    release: async () => undefined,
  }));
}

/** @throws TransferFault if the file is gone, for example because it was moved after it was saved */
function putInto(file: File | undefined): PutFile {
  if (file === undefined) throw new TransferFault('unreadable');
  return async ({ drive, directory, name, onConflict }, { signal, onPart }) => {
    const form = new FormData();
    const target = { drive, directory };
    form.set('path', directory);
    // Uploads have no conflict rules, so the rule is applied here.
    form.set('file', file, onConflict === 'RENAME' ? await findFreeName(target, name) : name);
    if (onConflict === 'REPLACE') {
      const existing = await findEntry(target, name);
      if (existing !== undefined) {
        const path = { fileId: existing.id };
        await ask('DELETE /api/files/{fileId}', { path, drive });
      }
    }
    const onBytes = (bytes: number) => onPart(Math.min(1, bytes / Math.max(1, file.size)));
    await postWithProgress(addressOf('POST /api/files/upload', { drive }), form, onBytes, signal);
  };
}
