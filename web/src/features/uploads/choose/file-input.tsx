import type { Ref } from 'react';
import { type Picked, readInput } from '../files/picked-files.ts';

/** Missing in React's types. */
const FOLDERS = { webkitdirectory: '' };

/** The hidden input that a button opens to let the user choose files, or one folder. */
export function FileInput(parts: {
  readonly ref: Ref<HTMLInputElement>;
  readonly name: string;
  readonly isForFolders?: boolean;
  readonly onPick: (picked: readonly Picked[]) => void;
}) {
  const { ref, name, isForFolders = false, onPick } = parts;
  return (
    <input
      ref={ref}
      type="file"
      multiple
      hidden
      name={name}
      {...(isForFolders ? FOLDERS : {})}
      onChange={({ currentTarget }) => {
        onPick(readInput(currentTarget.files ?? []));
        // Otherwise the same file could not be chosen again.
        currentTarget.value = '';
      }}
    />
  );
}
