// tier: default
// runs on: sqlite
// The roles of shared drives, for every operation that is about one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { type DriveRole, includesRole } from '../../../src/base/domain/drives.ts';
import { EXAMPLE } from '../../../src/http/examples.ts';
import { asAdmin } from '../../support/app/admin.ts';
import { asProgram, createAppPassword } from '../../support/app/app-passwords.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import type { Person } from '../../support/app/person.ts';
import { removeMember } from '../../support/drives/members.ts';
import { createDrive, DRIVE_HEADER, DRIVES, deleteDrive } from '../../support/drives/shared-drives.ts';
import { listApiRoutes } from '../../support/http/api-routes.ts';
import { nameOf, sendExample } from '../../support/http/example-request.ts';

type Route = ReturnType<typeof listApiRoutes>[number];
type Operation = NonNullable<Route['operation']>;

/** The calls about entries that choose a drive. All others ignore the choice. */
const CHOOSES_DRIVE: readonly RegExp[] = [
  /^\w+ \/api\/(?:v2\/)?files\/(?!share-links\/)/,
  /^POST \/api\/v2\/downloads$/,
  /^\w+ \/api\/v2\/tasks(?:\/|$)/,
  /^\w+ \/api\/v2\/(?:shares|folder-links)(?:\/mine)?$/,
  /^(?:PATCH|DELETE) \/api\/v2\/(?:shares|folder-links)\/\{id\}$/,
  /^\w+ \/api\/v2\/share-links\//,
  // Imports, whose target is the drive.
  /^POST \/api\/v2\/(?:shares|folder-links)\/\{token\}\/import$/,
  /^POST \/api\/files\/share-links\/\{token\}\/import$/,
  /^POST \/api\/transfer\/sessions\/\{sessionId\}\/files\/\{fileId\}\/import$/,
];
/** The operations that need another role than the one that follows from their app passwords. */
const OTHER_ROLES: Readonly<Record<string, DriveRole>> = {
  'DELETE /api/files/recycle-bin': 'MANAGER',
  'DELETE /api/files/recycle-bin/{fileId}': 'MANAGER',
  'PUT /api/v2/files/{fileId}/star': 'VIEWER',
  'DELETE /api/v2/files/{fileId}/star': 'VIEWER',
  'PUT /api/v2/files/{fileId}/timeline-exclusion': 'VIEWER',
  'DELETE /api/v2/files/{fileId}/timeline-exclusion': 'VIEWER',
  // The target drive needs EDITOR.
  'POST /api/v2/files/{fileId}/copy-to': 'VIEWER',
};

const holdall = await startHoldall({ env: { HOLDALL_RATE_LIMITS: 'off' } });
const manager = await holdall.register('manager');
const editor = await holdall.register('editor');
const viewer = await holdall.register('viewer');
const removed = await holdall.register('removed');
const banned = await holdall.register('banned');
const stranger = await holdall.register('stranger');
const drive = await createDrive(manager, 'Team', [
  { person: editor, role: 'EDITOR' },
  { person: viewer, role: 'VIEWER' },
  { person: removed, role: 'EDITOR' },
  { person: banned, role: 'EDITOR' },
]);
const deleted = await createDrive(manager, 'Deleted', [{ person: viewer, role: 'VIEWER' }]);
await deleteDrive(manager, deleted);
await removeMember(manager, drive.id, removed);
await asAdmin(await holdall.admin()).user(banned, 'status', { banned: true });

const MEMBERS: readonly (readonly [Person, DriveRole])[] = [
  [viewer, 'VIEWER'],
  [editor, 'EDITOR'],
  [manager, 'MANAGER'],
];
/** The personal drives by the names of their owners. */
const targets = new Map(
  [manager, editor, viewer, removed, banned, stranger].map((person) => [person.username, person.driveId]),
);
const NO_SUCH_DRIVE = 2 ** 40;

const routes = listApiRoutes(holdall.app.server);
/** HEAD has the configuration of GET. */
const isOwnOperation = ({ method, operation }: Route) => operation?.name.startsWith(`${method} `) === true;
const inDrive = routes.filter((route) => isOwnOperation(route) && route.operation?.inDrive === true);
assert.ok(inDrive.length > 60, `only ${inDrive.length} routes`);

/** How the answers begin if the choice is not the id of a drive, and if the caller is not in that drive. */
const BAD_CHOICE = 'X-Service-Drive, or the parameter drive,';
const NOT_FOUND = 'There is no such drive.';
/** Calls that end the session of their caller. */
const ENDS_SESSION = /^\/api\/(?:auth\/logout|user\/password)$/;
const RESTORE = `POST ${DRIVES}/{id}/restore`;

const PLACES = ['header', 'query'] as const;
type Choice = Partial<Record<(typeof PLACES)[number], string | number>>;

test('exactly the calls about entries choose a drive', () => {
  const expected = routes.filter(
    (route) =>
      isOwnOperation(route) &&
      route.access !== 'public' &&
      CHOOSES_DRIVE.some((pattern) => pattern.test(nameOf(route))),
  );
  assert.deepEqual(inDrive.map(nameOf).sort(), expected.map(nameOf).sort());
});

for (const place of PLACES) {
  // The query is read by the same function as the header.
  const options = place === 'query' ? inFull : {};
  for (const [member, role] of MEMBERS) {
    const title = `a member with the role ${role} may call what it allows in the drive of the ${place}`;
    test(title, role === 'VIEWER' ? {} : options, async () => {
      await assertEach(inDrive, async (route) => {
        const answer = await call(member, route, { [place]: drive.id });
        return includesRole(role, roleFor(route))
          ? faultIfRefused(answer)
          : faultUnlessRoleTooLow(route, answer);
      });
    });
  }

  test(`no one can tell apart the drives that the ${place} must not name`, options, async () => {
    const others: readonly (readonly [Person, number])[] = [
      [stranger, drive.id],
      [removed, drive.id],
      [manager, NO_SUCH_DRIVE],
      [manager, deleted.id],
      [viewer, deleted.id],
      [manager, stranger.driveId],
    ];
    await assertEach(inDrive, async (route) => {
      const answers = new Set<string>();
      for (const [person, id] of others) answers.add(toText(await call(person, route, { [place]: id })));
      return [...answers].join() === notFound(route) ? undefined : [...answers].join(', ');
    });
  });

  test(`the ${place} of a banned member is not looked at`, options, async () => {
    await assertEach(inDrive, async (route) => {
      const { status } = await call(banned, route, { [place]: drive.id });
      return status === 401 ? undefined : `${status}`;
    });
  });

  test(`the ${place} may name the personal drive`, options, async () => {
    await assertEach(inDrive, async (route) =>
      faultIfRefused(await call(stranger, route, { [place]: stranger.driveId })),
    );
  });

  test(`calls that are not about entries ignore the ${place}`, options, async () => {
    const others = routes.filter(
      (route) => isOwnOperation(route) && route.operation?.inDrive !== true && !ENDS_SESSION.test(route.url),
    );
    assert.ok(others.length > 120, `only ${others.length} routes`);
    await assertEach(others, async (route) => {
      const answer = await call(stranger, route, { [place]: 'x' });
      return answer.text.includes(BAD_CHOICE) ? toText(answer) : undefined;
    });
  });
}

test('a choice that is no id, and one of two drives, is invalid', async () => {
  const { id } = drive;
  const wrong: readonly Choice[] = [
    ...['x', '0', '-1', '1.0', `${id},${id}`, '1e6', '', `0${id}`, '1'.repeat(16)].flatMap((text) =>
      PLACES.map((place) => ({ [place]: text })),
    ),
    { header: id, query: manager.driveId },
    { header: NO_SUCH_DRIVE, query: id },
    { header: id, query: 'x' },
    { header: '', query: id },
  ];
  for (const [index, choice] of wrong.entries()) {
    // Each choice is made in some calls only, and each call gets some choices.
    await assertEach(
      inDrive.filter((_, place) => place % 11 === index % 11),
      async (route) => {
        const answer = await call(manager, route, choice);
        const isRight = answer.status === 400 && says(route, answer, BAD_CHOICE);
        return isRight ? undefined : `${JSON.stringify(choice)} ${toText(answer)}`;
      },
    );
  }
});

test('header and query may name the same drive', async () => {
  await assertEach(inDrive, async (route) =>
    faultIfRefused(await call(manager, route, { header: drive.id, query: drive.id })),
  );
  await assertEach(inDrive, async (route) => {
    const answer = await call(stranger, route, { header: drive.id, query: drive.id });
    return toText(answer) === notFound(route) ? undefined : toText(answer);
  });
});

test('a READ app password makes a manager a viewer', async () => {
  const program = asProgram(manager, (await createAppPassword(manager, { scope: 'READ' })).password);
  await assertEach(inDrive, async (route) => {
    const answer = await call(program, route, { header: drive.id });
    if (route.appPassword === 'read') return faultIfRefused(answer);
    return answer.status === 403 && says(route, answer, 'app password') ? undefined : toText(answer);
  });
});

test('a WRITE app password does not let a viewer change more', async () => {
  const program = asProgram(viewer, (await createAppPassword(viewer, { scope: 'WRITE' })).password);
  await assertEach(inDrive, async (route) => {
    const answer = await call(program, route, { header: drive.id });
    return includesRole('VIEWER', roleFor(route))
      ? faultIfRefused(answer)
      : faultUnlessRoleTooLow(route, answer);
  });
});

/** The calls about drives, and the role that each needs. */
const DRIVE_CALLS = routes.filter((route) => isOwnOperation(route) && route.url.startsWith(`${DRIVES}/:id`));

test('calls about a drive need the role that follows from their app passwords', async () => {
  assert.equal(new Set(DRIVE_CALLS.map(nameOf)).size, 8);
  // The manager comes last and ends nothing: the example's name is not that of the drive.
  for (const [member, role] of MEMBERS) {
    await assertEach(DRIVE_CALLS, async (route) => {
      if (nameOf(route) === RESTORE) return undefined;
      const answer = await call(member, inPath(route, drive.id), {});
      return route.appPassword === 'read' || role === 'MANAGER'
        ? faultIfRefused(answer)
        : faultUnlessRoleTooLow(route, answer);
    });
  }
});

test('calls about a drive cannot tell apart those that are not the caller’s', async () => {
  const others: readonly (readonly [Person, number])[] = [
    [stranger, drive.id],
    [removed, drive.id],
    [manager, NO_SUCH_DRIVE],
    [manager, stranger.driveId],
    [stranger, deleted.id],
  ];
  await assertEach(DRIVE_CALLS, async (route) => {
    const answers = new Set<string>();
    for (const [person, id] of others) answers.add(toText(await call(person, inPath(route, id), {})));
    return [...answers].join() === notFound(route) ? undefined : [...answers].join(', ');
  });
});

test('a personal drive is in no calls about drives but their list', async () => {
  await assertEach(DRIVE_CALLS, async (route) => {
    const answer = await call(stranger, inPath(route, stranger.driveId), {});
    return answer.status === 403 ? undefined : toText(answer);
  });
});

test('only a manager of a deleted drive may restore it, and it takes no other calls', async () => {
  const [restore, ...others] = DRIVE_CALLS.toSorted((a, b) =>
    nameOf(a) === RESTORE ? -1 : nameOf(b) === RESTORE ? 1 : 0,
  );
  assert(restore !== undefined);
  await assertEach(others, async (route) => {
    const answer = await call(manager, inPath(route, deleted.id), {});
    return toText(answer) === notFound(route) ? undefined : toText(answer);
  });
  for (const [person, id, status] of [
    [viewer, deleted.id, 403],
    [manager, deleted.id, 200],
    [manager, deleted.id, 400],
    [editor, drive.id, 403],
  ] as const) {
    const answer = await call(person, inPath(restore, id), {});
    assert.equal(answer.status, status, toText(answer));
  }
});

test('a member may leave a drive with any role', async () => {
  const leave = `DELETE ${DRIVES}/{id}/members/{accountId}`;
  for (const [person, status] of [
    [viewer, 200],
    [editor, 200],
    [manager, 409],
  ] as const) {
    const { status: answered } = await removeMember(person, drive.id, person);
    assert.equal(answered, status, `${leave} of ${person.username}`);
  }
});

/** The role that the route needs in a shared drive. */
function roleFor(route: Route): DriveRole {
  return OTHER_ROLES[nameOf(route)] ?? (route.appPassword === 'read' ? 'VIEWER' : 'EDITOR');
}

interface Answered {
  readonly status: number;
  /** Empty unless it is an error. */
  readonly text: string;
}

/** Sends the example of a route, with a choice of a drive. */
async function call(person: Person, route: Route, choice: Choice): Promise<Answered> {
  const { header, query } = choice;
  const chosen = withExample(route, ({ example }) => ({
    ...example,
    headers: { ...example.headers, ...(header !== undefined && { [DRIVE_HEADER]: String(header) }) },
    query: { ...example.query, ...(query !== undefined && { drive: String(query) }) },
    ...(hasTarget(example.body) && { body: { ...example.body, driveId: targets.get(person.username) } }),
  }));
  const response = await sendExample(person, chosen);
  const { status } = response;
  if (status >= 400) return { status, text: await response.text() };
  // The body may be an endless stream.
  await response.body?.cancel();
  return { status, text: '' };
}

/** Whether the body names a target drive. Each caller's own one is the personal drive. */
function hasTarget(body: unknown): body is object {
  return (
    typeof body === 'object' && body !== null && 'driveId' in body && body.driveId === EXAMPLE.targetDrive
  );
}

/** The route with the id of a drive in the path of its example. */
function inPath(route: Route, id: number): Route {
  return withExample(route, ({ example }) => ({ ...example, path: { ...example.path, id } }));
}

function withExample(route: Route, change: (operation: Operation) => Operation['example']): Route {
  const { operation } = route;
  return operation === undefined
    ? route
    : { ...route, operation: { ...operation, example: change(operation) } };
}

async function assertEach(
  tested: readonly Route[],
  findFault: (route: Route) => Promise<string | undefined>,
): Promise<void> {
  const faults: string[] = [];
  for (const route of tested) {
    const fault = await findFault(route);
    if (fault !== undefined) faults.push(`${route.method} ${route.url}: ${fault}`);
  }
  assert.deepEqual(faults, []);
}

/** Only a rejected caller is a fault: the ids in the examples do not exist, so other errors are fine. */
function faultIfRefused(answer: Answered): string | undefined {
  const { status, text } = answer;
  const isRefused = [401, 403].includes(status) || text.includes(NOT_FOUND) || text.includes(BAD_CHOICE);
  return isRefused || status >= 500 ? toText(answer) : undefined;
}

function faultUnlessRoleTooLow(route: Route, answer: Answered): string | undefined {
  const isRight =
    answer.status === 403 && says(route, answer, 'Your role in this drive does not allow this.');
  return isRight ? undefined : toText(answer);
}

/** Whether an error has the text. The answer to HEAD has none. */
function says({ method }: Route, { text }: Answered, wanted: string): boolean {
  return method === 'HEAD' || text.includes(wanted);
}

/** The answer for a drive that does not exist. */
function notFound({ method, url }: Route): string {
  if (method === 'HEAD') return '404 ';
  const code = url.startsWith('/api/v2/') ? 2_404 : 1_003;
  return `404 ${JSON.stringify({ code, msg: NOT_FOUND, data: null })}`;
}

function toText({ status, text }: Answered): string {
  return `${status} ${text}`;
}
