/** The values that are filled into the steps. */
export interface Access {
  /** The WebDAV address of the drive, such as `https://drive.example.org/dav/`. */
  readonly address: string;
  readonly username: string;
}

/** One step, and what to enter in it. The text may contain `{{username}}`. */
interface Step {
  readonly text: `connect.${StepName}`;
  readonly entered?: (access: Access) => string;
  /** Whether the text to enter is also shown as a QR code. */
  readonly hasQr?: boolean;
}

type StepName =
  | 'logIn'
  | `rclone${'Create' | 'List' | 'Sync'}`
  | `finder${'Open' | 'Address' | 'User'}`
  | `explorer${'Open' | 'Address' | 'Size'}`
  | `phone${'New' | 'Address' | 'User'}`
  | 'gnome'
  | 'kde'
  | 'davfs'
  | 'joplin'
  | 'keepass'
  | 'zotero';

type ProgramName = 'rclone' | 'finder' | 'explorer' | 'linux' | 'phone' | 'notes';

interface Program {
  readonly name: ProgramName;
  /** Whether each step is for a different program. Otherwise the steps follow one another. */
  readonly areAlternatives?: boolean;
  readonly steps: readonly Step[];
}

const addressOf = ({ address }: Access) => address;
/** Some programs expect the name of the protocol in place of `http`. */
const withScheme = (scheme: string) => (access: Access) => access.address.replace(/^http/, scheme);
const below = (path: string) => (access: Access) => `${access.address}${path}`;

/** The programs with their steps, the same as in docs/webdav.md. */
export const PROGRAMS: readonly Program[] = [
  {
    name: 'rclone',
    steps: [
      {
        text: 'connect.rcloneCreate',
        // Without `--obscure`, rclone assumes that the app password is already obscured.
        entered: ({ address, username }) =>
          `rclone config create drive webdav url=${address} vendor=owncloud user=${username} pass=APP-PASSWORD --obscure`,
      },
      { text: 'connect.rcloneList', entered: () => 'rclone lsf drive:' },
      { text: 'connect.rcloneSync', entered: () => 'rclone sync ~/Photos drive:Photos' },
    ],
  },
  {
    name: 'finder',
    steps: [
      { text: 'connect.finderOpen' },
      { text: 'connect.finderAddress', entered: addressOf },
      { text: 'connect.finderUser' },
    ],
  },
  {
    name: 'explorer',
    steps: [
      { text: 'connect.explorerOpen' },
      { text: 'connect.explorerAddress', entered: addressOf },
      { text: 'connect.logIn' },
      { text: 'connect.explorerSize' },
    ],
  },
  {
    name: 'linux',
    areAlternatives: true,
    steps: [
      { text: 'connect.gnome', entered: withScheme('dav') },
      { text: 'connect.kde', entered: withScheme('webdav') },
      { text: 'connect.davfs', entered: ({ address }) => `sudo mount -t davfs ${address} /mnt/drive` },
      { text: 'connect.logIn' },
    ],
  },
  {
    name: 'phone',
    steps: [
      { text: 'connect.phoneNew' },
      { text: 'connect.phoneAddress', entered: addressOf, hasQr: true },
      { text: 'connect.phoneUser' },
    ],
  },
  {
    name: 'notes',
    areAlternatives: true,
    steps: [
      { text: 'connect.joplin', entered: below('Joplin') },
      { text: 'connect.keepass', entered: below('Passwords.kdbx') },
      { text: 'connect.zotero', entered: addressOf },
      { text: 'connect.logIn' },
    ],
  },
];

/** The program that most people with such a device use; its steps are shown first. */
export function usualProgram(userAgent: string): ProgramName {
  if (/Android|iPhone|iPad/.test(userAgent)) return 'phone';
  if (userAgent.includes('Mac OS')) return 'finder';
  if (userAgent.includes('Windows')) return 'explorer';
  return 'linux';
}
