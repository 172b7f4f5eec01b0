// The entry point of `@holdall/client/node`: files on disk, for Node.js, Deno and Bun.
export { connectWith, type NodeDataChannel } from './connect-with.ts';
export { FileTokenStore } from './file-token-store.ts';
export { httpFetch } from './http-fetch.ts';
export { lockFile } from './lock-file.ts';
export { NativeSha256 } from './native-sha256.ts';
export { openFile, openUpload } from './open-upload.ts';
export {
  completePart,
  isPartLocked,
  type LockedPart,
  lockPart,
  type Saved,
  type SaveSource,
  type SaveTarget,
  saveDownload,
} from './save-download.ts';
export { fileSource, type SaveOptions, saveFile } from './save-file.ts';
export { removeSecretFile, writeSecretFile } from './secret-file.ts';
export { syncDirectoryNow } from './sync-directory.ts';
