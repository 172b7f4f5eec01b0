/** The file whose preview opens with the editor, because it was just created. */
let requested: number | undefined;

export function requestEdit(id: number): void {
  requested = id;
}

/** Whether the editor of the file is to open. Only once. */
export function takeEditRequest(id: number): boolean {
  if (requested !== id) return false;
  requested = undefined;
  return true;
}
