/** The new file whose preview opens in the editor. */
let requested: number | undefined;

export function requestEdit(id: number): void {
  requested = id;
}

/** Called when a preview closes. If its editor has not opened, it must not open the next time. */
export function dropEditRequest(): void {
  requested = undefined;
}

/** Whether the preview of the file should open in the editor. True only once. */
export function takeEditRequest(id: number): boolean {
  if (requested !== id) return false;
  requested = undefined;
  return true;
}
