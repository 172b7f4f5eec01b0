/** What the visitors of a folder link may do: see and download what is there, add files, or both. */
export const FOLDER_LINK_MODES = ['VIEW', 'UPLOAD', 'BOTH'] as const;
export type FolderLinkMode = (typeof FOLDER_LINK_MODES)[number];
