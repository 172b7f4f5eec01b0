/** As in the service, which counts code points. */
export const MAX_DRIVE_NAME_LENGTH = 64;
