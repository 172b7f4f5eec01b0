import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { hasSession } from './api/session.ts';
import { NotFound } from './shell/not-found.tsx';
import { Shell } from './shell/shell.tsx';

// Every address of the client. The service sends the page at each of them: `server/src/site/web-client.ts`.

const root = createRootRoute({ notFoundComponent: NotFound });

const front = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/drive/$' });
  },
});

interface WhereNext {
  /** Where to go once logged in. */
  next?: string;
}

const auth = lazyRouteComponent(() => import('./auth/log-in-page.tsx'), 'LogInPage');
const logIn = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: readWhereNext,
  component: auth,
});
const register = createRoute({
  getParentRoute: () => root,
  path: '/register',
  component: lazyRouteComponent(() => import('./auth/register-page.tsx'), 'RegisterPage'),
});

/** Pages for those who are logged in, in the frame that they share. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: Shell,
  beforeLoad: ({ location }) => {
    if (!hasSession()) throw redirect({ to: '/login', search: { next: location.href } });
  },
});

const drive = createRoute({
  getParentRoute: () => inside,
  path: '/drive/$',
  component: lazyRouteComponent(() => import('./drive/drive-page.tsx'), 'DrivePage'),
});

const tree = root.addChildren([front, logIn, register, inside.addChildren([drive])]);

export const router = createRouter({
  routeTree: tree,
  defaultPreload: 'intent',
  defaultNotFoundComponent: NotFound,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

/** An address of ours and no other: whoever writes the link does not choose where people land. */
function readWhereNext({ next }: Record<string, unknown>): WhereNext {
  return typeof next === 'string' && /^\/(?!\/)/.test(next) ? { next } : {};
}
