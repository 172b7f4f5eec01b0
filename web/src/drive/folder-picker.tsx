interface FolderPickerProps {
  readonly title: string;
  /** What the button says: what is done with the folder that is picked. */
  readonly action: string;
  readonly isPending?: boolean;
  /** @param path of the directory */
  readonly onPick: (path: string) => void;
  readonly onClose: () => void;
}

/** Lets somebody choose a directory of their drive. */
export function FolderPicker(_: FolderPickerProps) {
  return null;
}
