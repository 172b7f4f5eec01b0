import { findProgramName } from '../../common/program-name.ts';

/** The values that are filled into the steps. */
export interface Access {
  /** The WebDAV address of the drive, such as `https://drive.example.org/dav/`. */
  readonly address: string;
  readonly username: string;
  /** The app password, or what stands for it until there is one. */
  readonly password: string;
}

/** One step, and what to enter in it. The text may contain `{{username}}`. */
interface Step {
  readonly text: `connect.${StepName}`;
  readonly entered?: (access: Access) => string;
}

type StepName =
  | 'logIn'
  | `sync${'Install' | 'LogIn' | 'Run'}`
  | `rclone${'Create' | 'List' | 'Sync'}`
  | `finder${'Open' | 'Address' | 'User'}`
  | `explorer${'Open' | 'Address' | 'Size'}`
  | `photosync${'Add' | 'Upload'}`
  | `foldersync${'Account' | 'Pair'}`
  | `files${'App' | 'Add'}`
  | 'gnome'
  | 'kde'
  | 'davfs'
  | 'joplin'
  | 'keepass'
  | 'zotero';

type ProgramName =
  | 'sync'
  | 'rclone'
  | 'finder'
  | 'explorer'
  | 'linux'
  | 'photosync'
  | 'foldersync'
  | 'files'
  | 'notes';

interface Program {
  readonly name: ProgramName;
  /** Whether each step is for a different program. Otherwise the steps follow one another. */
  readonly areAlternatives?: boolean;
  readonly steps: readonly Step[];
}

export type SystemName = 'phone' | 'windows' | 'mac' | 'linux' | 'notes';

/** A kind of device, or of apps, with the programs that people use there. */
export interface System {
  readonly name: SystemName;
  readonly programs: readonly Program[];
}

const addressOf = ({ address }: Access) => address;
/** Some programs expect the name of the protocol in place of `http`. */
const withScheme = (scheme: string) => (access: Access) => access.address.replace(/^http/, scheme);
const below = (path: string) => (access: Access) => `${access.address}${path}`;
const siteOf = ({ address }: Access) => new URL(address).origin;

const RCLONE: Program = {
  name: 'rclone',
  steps: [
    {
      text: 'connect.rcloneCreate',
      // Without `--obscure`, rclone assumes that the app password is already obscured.
      entered: ({ address, username, password }) =>
        `rclone config create drive webdav url=${address} vendor=owncloud user=${username} pass=${password} --obscure`,
    },
    { text: 'connect.rcloneList', entered: () => 'rclone lsf drive:' },
    { text: 'connect.rcloneSync', entered: () => 'rclone sync ~/Photos drive:Photos' },
  ],
};

/** The systems with their steps, the same as in docs/webdav.md. */
export const SYSTEMS: readonly System[] = [
  {
    name: 'phone',
    programs: [
      { name: 'photosync', steps: [{ text: 'connect.photosyncAdd' }, { text: 'connect.photosyncUpload' }] },
      {
        name: 'foldersync',
        steps: [{ text: 'connect.foldersyncAccount' }, { text: 'connect.foldersyncPair' }],
      },
      { name: 'files', steps: [{ text: 'connect.filesApp' }, { text: 'connect.filesAdd' }] },
    ],
  },
  {
    name: 'windows',
    programs: [
      {
        name: 'explorer',
        steps: [
          { text: 'connect.explorerOpen' },
          { text: 'connect.explorerAddress', entered: addressOf },
          { text: 'connect.logIn' },
          { text: 'connect.explorerSize' },
        ],
      },
      RCLONE,
    ],
  },
  {
    name: 'mac',
    programs: [
      {
        name: 'finder',
        steps: [
          { text: 'connect.finderOpen' },
          { text: 'connect.finderAddress', entered: addressOf },
          { text: 'connect.finderUser' },
        ],
      },
      RCLONE,
    ],
  },
  {
    name: 'linux',
    programs: [
      {
        name: 'sync',
        steps: [
          { text: 'connect.syncInstall' },
          {
            text: 'connect.syncLogIn',
            entered: (access) => `holdall login ${siteOf(access)} --app-password`,
          },
          { text: 'connect.syncRun', entered: () => 'holdall sync ~/Documents /Documents --two-way --watch' },
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
      RCLONE,
    ],
  },
  {
    name: 'notes',
    programs: [
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
    ],
  },
];

const COMPUTERS: Readonly<Record<string, SystemName>> = { Windows: 'windows', Mac: 'mac' };

/** The device that shows the page. */
export interface Device {
  readonly system: SystemName;
  /** Such as `iPhone`; undefined if the browser does not say it. */
  readonly name: string | undefined;
}

/** @param touchPoints how many fingers the screen can tell apart */
export function deviceOf(userAgent: string, touchPoints: number): Device {
  const { system: name } = findProgramName(userAgent) ?? {};
  // An iPad claims to be a Mac, but no Mac has a touch screen.
  if (name === 'Mac' && touchPoints > 1) return { system: 'phone', name: 'iPad' };
  if (/^(?:Android|iPhone|iPad)$/.test(name ?? '')) return { system: 'phone', name };
  return { system: COMPUTERS[name ?? ''] ?? 'linux', name };
}

/**
 * The systems in the order in which they are shown.
 * @param wanted what the fragment of the address asks for
 */
export function orderSystems({ system: own }: Device, wanted: string): readonly System[] {
  const isPhoneFirst = wanted === 'phones' || (wanted !== 'desktop' && own === 'phone');
  const rankOf = ({ name }: System) => {
    if (name === 'phone') return isPhoneFirst ? 0 : 3;
    if (name === 'notes') return 4;
    return name === own ? 1 : 2;
  };
  return SYSTEMS.toSorted((one, other) => rankOf(one) - rankOf(other));
}
