/** The path of the page with the files of a shared drive. */
export function filesPageOf(driveId: number): string {
  return `/drives/${driveId}/files`;
}

/** The path of the page with the files of the recipient's own drive. */
export const OWN_FILES_PAGE = '/drive/';
