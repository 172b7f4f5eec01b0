/** The button from which files and folders are uploaded into the directory. */
export function UploadMenu(_: { readonly path: string }) {
  return null;
}
