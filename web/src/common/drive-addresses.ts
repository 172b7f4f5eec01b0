/**
 * The pages that each drive has. In the addresses of shared drives, their folders are at `files`, because
 * `/drives/12/drive` would name the drive twice.
 */
const PAGES = ['drive', 'recent', 'photos', 'starred', 'search', 'shared', 'tasks', 'bin'];
export const FILES = 'files';
const FOLDERS = 'drive';

const SHARED_ADDRESS = /^\/drives\/([1-9]\d{0,14})(?:\/([^/]*)(\/.*)?)?$/;
const DRIVE_PARAMETER = /^drive=/;

/**
 * Turns the address of a page of a shared drive into that of the page itself: `/drives/12/bin?x=1` becomes
 * `/bin?x=1&drive=12`. So every page has one route for all drives.
 */
export function fromDriveAddress({ pathname, search }: Address): Address {
  const [, id, name = '', rest = ''] = SHARED_ADDRESS.exec(pathname) ?? [];
  const page = name === FILES || name === '' ? FOLDERS : name === FOLDERS ? undefined : name;
  if (id === undefined || page === undefined || !PAGES.includes(page)) return { pathname, search };
  const parameters = [...withoutDrive(search), `drive=${id}`];
  return { pathname: `/${page}${rest}`, search: `?${parameters.join('&')}` };
}

/** The opposite of {@link fromDriveAddress}. */
export function toDriveAddress({ pathname, search }: Address): Address {
  const drive = parametersOf(search).find((parameter) => DRIVE_PARAMETER.test(parameter));
  const id = drive?.replace(DRIVE_PARAMETER, '') ?? '';
  const [, page = '', ...rest] = pathname.split('/');
  if (!/^[1-9]\d{0,14}$/.test(id) || !PAGES.includes(page)) return { pathname, search };
  const parameters = withoutDrive(search).join('&');
  return {
    pathname: ['/drives', id, page === FOLDERS ? FILES : page, ...rest].join('/'),
    search: parameters === '' ? '' : `?${parameters}`,
  };
}

interface Address {
  readonly pathname: string;
  /** Empty, or with the question mark. */
  readonly search: string;
}

function withoutDrive(search: string): readonly string[] {
  return parametersOf(search).filter((parameter) => !DRIVE_PARAMETER.test(parameter));
}

function parametersOf(search: string): readonly string[] {
  return search
    .slice(1)
    .split('&')
    .filter((parameter) => parameter !== '');
}
