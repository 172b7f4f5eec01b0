import type { Ref } from 'react';
import { type Picked, readInput } from '../files/picked-files.ts';

/** React's types do not know it. */
const FOLDERS = { webkitdirectory: '' };

/** What a button opens to let somebody pick files, or one folder. */
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
        // So that the same file can be picked again.
        currentTarget.value = '';
      }}
    />
  );
}
