import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type ParsedLocation,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { currentSession, hasSession } from './api/session.ts';
import { fromDriveAddress, toDriveAddress } from './common/drive-addresses.ts';
import { LazyModule } from './common/timing/lazy-module.ts';
import { readAdminSearch } from './pages/admin/admin-search.ts';
import { readPhotoFilter } from './pages/photos/photo-filter.ts';
import { partOfFragment } from './pages/profile/part-names.ts';
import { readFilters } from './pages/search/filters.ts';
import { closeOnBack } from './shell/close-on-back.ts';
import { NotFound } from './shell/not-found.tsx';
import { PageFailure } from './shell/page-failure.tsx';
import { Shell } from './shell/shell.tsx';

// All addresses of the client. `server/src/site/web-client-routes.ts` serves the page at each of them.

const root = createRootRoute({ notFoundComponent: NotFound });

const front = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/drive/$' });
  },
});

/** In characters, as in the service. */
const MAX_NEXT_LENGTH = 2_048;

interface WhereNext {
  /** The `href` to open after the login. From a `publicHref`, the router would not read the drive. */
  next?: string | undefined;
}

const loadAccountPages = () => import('./pages/login/account-pages.ts');
const auth = pageOf(() => import('./pages/login/log-in-page.tsx'), 'LogInPage');
const logIn = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: readWhereNext,
  beforeLoad: skipLogin,
  component: auth,
});
const register = createRoute({
  getParentRoute: () => root,
  path: '/register',
  validateSearch: readWhereNext,
  beforeLoad: skipLogin,
  component: pageOf(loadAccountPages, 'RegisterPage'),
});

const newPassword = createRoute({
  getParentRoute: () => root,
  path: '/new-password',
  validateSearch: readWhereNext,
  beforeLoad: ({ search }) => {
    if (currentSession()?.user.mustChangePassword !== true) throw redirect({ href: search.next ?? '/' });
  },
  component: pageOf(loadAccountPages, 'NewPasswordPage'),
});

const secondFactor = createRoute({
  getParentRoute: () => root,
  path: '/second-factor',
  validateSearch: readWhereNext,
  beforeLoad: ({ search }) => {
    if (currentSession()?.mustSetUpSecondFactor !== true) throw redirect({ href: search.next ?? '/' });
  },
  component: pageOf(() => import('./pages/login/second-factor-page.tsx'), 'SecondFactorPage'),
});

// With or without a login: people open mailed links in any browser, and may forget the password while logged in.
const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: pageOf(loadAccountPages, 'ForgotPasswordPage'),
});
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: pageOf(loadAccountPages, 'ResetPasswordPage'),
});
const verifyEmail = createRoute({
  getParentRoute: () => root,
  path: '/verify-email',
  component: pageOf(loadAccountPages, 'VerifyEmailPage'),
});

/** Pages that require a login, inside their common frame. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: Shell,
  beforeLoad: ({ location }) => {
    if (!hasSession()) throw redirect({ to: '/login', search: { next: location.href } });
    checkIsReady({ location });
  },
});

interface InDrive {
  /** The id of the shared drive; undefined for the personal drive. */
  drive?: number | undefined;
}

/** The pages that every drive has. Links between them stay in the drive, unless they name another one. */
const inDrive = createRoute({
  getParentRoute: () => inside,
  id: 'in-drive',
  validateSearch: ({ drive }: Record<string, unknown>): InDrive =>
    isId(drive) ? { drive: Number(drive) } : {},
  search: { middlewares: [retainSearchParams<InDrive>(['drive'])] },
});

interface Shown {
  /** The id of the file that is shown over the page. */
  preview?: number | undefined;
  /** The id of the drive of that file, if the page lists files of several drives. */
  of?: number | undefined;
}

interface Select extends Shown {
  /** The id of the entry of the folder to scroll to and select. */
  select?: number | undefined;
  /** The id of a folder to open instead. Notifications and mails know no paths, which may change. */
  folder?: number | undefined;
}

const loadOpenFolder = new LazyModule(() => import('./features/shares/open-folder.ts'));
const drive = createRoute({
  getParentRoute: () => inDrive,
  path: '/drive/$',
  validateSearch: readSelect,
  beforeLoad: async ({ search: { folder, drive } }) => {
    if (folder === undefined) return;
    const { openFolder } = await loadOpenFolder.get();
    throw redirect({ ...(await openFolder(folder, drive)), replace: true });
  },
  component: pageOf(() => import('./pages/drive/drive-page.tsx'), 'DrivePage'),
});
const recent = createRoute({
  getParentRoute: () => inDrive,
  path: '/recent',
  validateSearch: readShown,
  component: pageOf(() => import('./pages/recent/recent-page.tsx'), 'RecentPage'),
});
const photos = createRoute({
  getParentRoute: () => inDrive,
  path: '/photos',
  validateSearch: (search: Record<string, unknown>) => ({
    ...readPhotoFilter(search),
    ...readShown(search),
  }),
  component: pageOf(() => import('./pages/photos/photos-page.tsx'), 'PhotosPage'),
});
const starred = createRoute({
  getParentRoute: () => inDrive,
  path: '/starred',
  validateSearch: readShown,
  component: pageOf(() => import('./pages/starred-page.tsx'), 'StarredPage'),
});
const search = createRoute({
  getParentRoute: () => inDrive,
  path: '/search',
  // The router parses `q=2026` in a hand-typed address as a number.
  validateSearch: ({ q = '', ...rest }: Record<string, unknown>) => ({
    q: String(q),
    ...readFilters(rest),
    ...readShown(rest),
  }),
  component: pageOf(() => import('./pages/search/search-page.tsx'), 'SearchPage'),
});
const bin = createRoute({
  getParentRoute: () => inDrive,
  path: '/bin',
  component: pageOf(() => import('./pages/bin/bin-page.tsx'), 'BinPage'),
});
const shared = createRoute({
  getParentRoute: () => inDrive,
  path: '/shared',
  validateSearch: readFile,
  component: pageOf(() => import('./pages/shares-page.tsx'), 'SharesPage'),
});
const tasks = createRoute({
  getParentRoute: () => inDrive,
  path: '/tasks',
  component: pageOf(() => import('./pages/tasks-page.tsx'), 'TasksPage'),
});
const drives = createRoute({
  getParentRoute: () => inside,
  path: '/drives',
  component: pageOf(() => import('./pages/drives/drives-page.tsx'), 'DrivesPage'),
});
const profile = createRoute({
  getParentRoute: () => inside,
  path: '/profile/{-$part}',
  beforeLoad: ({ params, location: { hash } }) => {
    const part = params.part === undefined ? partOfFragment(hash) : undefined;
    if (part !== undefined)
      throw redirect({ to: '/profile/{-$part}', params: { part }, hash, replace: true });
  },
  component: pageOf(() => import('./pages/profile/profile-page.tsx'), 'ProfilePage'),
});
const connect = createRoute({
  getParentRoute: () => inside,
  path: '/connect',
  component: pageOf(() => import('./pages/connect/connect-page.tsx'), 'ConnectPage'),
});
/** What a phone shows after it has scanned the QR code of the page before. */
const connectPhone = createRoute({
  getParentRoute: () => root,
  path: '/connect/phone',
  component: pageOf(() => import('./pages/connect/phone-page.tsx'), 'PhonePage'),
});
const saveShared = createRoute({
  getParentRoute: () => inside,
  path: '/save-shared',
  validateSearch: ({ refused }: Record<string, unknown>): { refused?: 'website' | 'many' } =>
    refused === 'website' || refused === 'many' ? { refused } : {},
  component: pageOf(() => import('./pages/save-shared/save-shared-page.tsx'), 'SaveSharedPage'),
});
const admin = createRoute({
  getParentRoute: () => inside,
  path: '/admin/{-$part}',
  validateSearch: readAdminSearch,
  component: pageOf(() => import('./pages/admin/admin-page.tsx'), 'AdminPage'),
});

// Public pages, with or without a login.
const share = createRoute({
  getParentRoute: () => root,
  path: '/s/$token',
  component: pageOf(() => import('./pages/public-share/public-share-page.tsx'), 'PublicSharePage'),
});
const shareLink = createRoute({
  getParentRoute: () => root,
  path: '/l/$token',
  component: pageOf(() => import('./pages/public-share/share-link-page.tsx'), 'ShareLinkPage'),
});
const folderLink = createRoute({
  getParentRoute: () => root,
  path: '/f/$token',
  validateSearch: ({ path, preview }: Record<string, unknown>): { path?: string; preview?: string } => ({
    ...(path === undefined ? {} : { path: String(path) }),
    ...(preview === undefined ? {} : { preview: String(preview) }),
  }),
  component: pageOf(() => import('./pages/folder-link/folder-link-page.tsx'), 'FolderLinkPage'),
});
/** Logged-in users see it in the frame of the drive. */
const transferFrame = createRoute({
  getParentRoute: () => root,
  id: 'transfer-frame',
  beforeLoad: checkIsReady,
  component: pageOf(() => import('./pages/transfer/transfer-frame.tsx'), 'TransferFrame'),
});
/** The short form, for QR codes and hand-typed links. */
const shortTransfer = createRoute({
  getParentRoute: () => root,
  path: '/t/$code',
  beforeLoad: ({ params: { code }, location: { hash } }) => {
    throw redirect({ to: '/transfer/{-$code}', params: { code }, hash, replace: true });
  },
});
const transfer = createRoute({
  getParentRoute: () => transferFrame,
  path: '/transfer/{-$code}',
  component: pageOf(() => import('./pages/transfer/transfer-page.tsx'), 'TransferPage'),
});

const tree = root.addChildren([
  ...[front, logIn, register, newPassword, secondFactor, share, shareLink, folderLink],
  ...[forgotPassword, resetPassword, verifyEmail, connectPhone],
  transferFrame.addChildren([transfer]),
  shortTransfer,
  inside.addChildren([
    inDrive.addChildren([drive, recent, photos, starred, search, bin, shared, tasks]),
    ...[drives, profile, connect, saveShared, admin],
  ]),
]);

export const router = createRouter({
  routeTree: tree,
  rewrite: {
    input: ({ url }) => Object.assign(url, fromDriveAddress(url)),
    // A copy: the router also needs the original, for `href`.
    output: ({ url }) => Object.assign(new URL(url), toDriveAddress(url)),
  },
  defaultPreload: 'intent',
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: PageFailure,
});

/** The component of a page. It is loaded when the page is opened, and loading is retried. */
function pageOf<Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(new LazyModule(load).get, name);
}

closeOnBack(router.history);

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

/**
 * The file or folder to share. It is part of the address, so that the dialog can be bookmarked and closed
 * with the back button.
 */
function readFile({ file }: Record<string, unknown>): { file?: number | undefined } {
  const isId = typeof file === 'number' && Number.isSafeInteger(file) && file > 0;
  return { file: isId ? file : undefined };
}

/**
 * Redirects to required setup pages. The service rejects everything else until a password set by someone else
 * is changed, and then until a required second factor is set up.
 */
function checkIsReady({ location }: { location: ParsedLocation }): void {
  const session = currentSession();
  const { href, hash } = location;
  const [next = '/'] = href.split('#');
  const search = { next };
  if (session?.user.mustChangePassword === true) throw redirect({ to: '/new-password', search });
  // Keeps the fragment: a provider returns to the profile, and the fragment has the result of the linking.
  if (session?.mustSetUpSecondFactor === true) throw redirect({ to: '/second-factor', search, hash });
}

/** Redirects logged-in users away from the login forms. */
function skipLogin({ search }: { search: WhereNext }): void {
  if (hasSession()) throw redirect({ href: search.next ?? '/' });
}

/** Only addresses of this client are allowed: the author of a link must not choose where users land. */
function readWhereNext({ next }: Record<string, unknown>): WhereNext {
  // Explicitly undefined, because the router would fill in an omitted parameter from the current address.
  return { next: typeof next === 'string' && isOwnPath(next) ? next : undefined };
}

/**
 * The same rule as in the service. Browsers treat backslashes as slashes, and remove tabs and line breaks.
 */
function isOwnPath(text: string): boolean {
  if (text.length > MAX_NEXT_LENGTH || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text)) return false;
  const { origin, pathname } = new URL(text, window.location.origin);
  // Removing segments such as ".." can leave two slashes at the beginning.
  return origin === window.location.origin && !pathname.startsWith('//');
}

function readSelect({ select, folder, preview }: Record<string, unknown>): Select {
  return {
    ...(isId(select) && { select: Number(select) }),
    ...(isId(folder) && { folder: Number(folder) }),
    ...readShown({ preview }),
  };
}

function readShown({ preview, of }: Record<string, unknown>): Shown {
  if (!isId(preview)) return {};
  return { preview: Number(preview), ...(isId(of) && { of: Number(of) }) };
}

function isId(value: unknown): boolean {
  return Number.isSafeInteger(Number(value)) && Number(value) > 0;
}
