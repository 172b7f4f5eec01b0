/** The file whose preview opens with the editor, because it was just created. */
let requested: number | undefined;

export function requestEdit(id: number): void {
  requested = id;
}

/** When a preview closes: its editor may not have opened, and must not do so the next time. */
export function dropEditRequest(): void {
  requested = undefined;
}

/** Whether the editor of the file is to open. Only once. */
export function takeEditRequest(id: number): boolean {
  if (requested !== id) return false;
  requested = undefined;
  return true;
}
