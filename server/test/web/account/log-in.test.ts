// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { applicationOf, PASSWORD } from '../../support/app/person.ts';
import { createDrive, inDrive } from '../../support/drives/shared-drives.ts';
import { waitFor } from '../../support/tasks/tasks.ts';
import { startBrowser } from '../../support/web/browser.ts';
import { Visit } from '../../support/web/web-visit.ts';

const holdall = await startHoldall();
const browser = await startBrowser();
const alice = await holdall.register('alice');
let visit: Visit;
afterEach(() => visit.checkClean());

describe('a visitor without a login', () => {
  test('is redirected to the login, and then to the requested page', async () => {
    visit = await Visit.begin(browser, holdall);
    await visit.page.goto('/drive/Documents');
    await visit.page.getByLabel('Username').fill(alice.username);
    await visit.page.getByLabel('Password', { exact: true }).fill('wrong, and long enough');
    await visit.page.getByRole('button', { name: 'Log in' }).click();
    const field = visit.page.getByLabel('Password', { exact: true });
    await visit.page.getByRole('alert').getByText('Wrong username or password.').waitFor();
    assert.equal(await field.getAttribute('aria-invalid'), 'true');
    await visit.checkAccessible();
    await visit.page.getByLabel('Password', { exact: true }).fill('correct horse battery staple');
    await visit.page.keyboard.press('Enter');
    await visit.page.waitForURL('**/drive/Documents');
  });

  test('lands in the requested folder of a shared drive', async () => {
    const { id } = await createDrive(alice, 'Team');
    await inDrive(alice, id).upload('/Plans & more/plan.txt', 'words');
    visit = await Visit.begin(browser, holdall);
    const { page } = visit;
    await page.goto(`/drives/${id}/files/Plans%20%26%20more`);
    await page.getByLabel('Username').fill(alice.username);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: 'plan.txt' }).waitFor();
    assert.match(page.url(), new RegExp(`/drives/${id}/files/Plans`));
  });

  test('registers with a code and is in the drive', async () => {
    visit = await Visit.begin(browser, holdall);
    const { page } = visit;
    const application = applicationOf('newcomer', await holdall.inviteCode());
    await page.goto('/register');
    const code = page.getByLabel('Invite code');
    await code.waitFor();
    await page.goto(`/register?code=${application.inviteCode}`);
    await page.getByRole('heading', { name: "You're invited to Holdall" }).waitFor();
    await page.getByLabel('Username').fill(application.username);
    assert.equal(await code.count(), 0, 'the link has the code');
    assert.equal(await page.getByRole('textbox').count(), 4);
    await page.getByLabel('E-mail').fill(application.email);
    await page.getByLabel('Phone number').fill(application.phoneNumber);
    await page.getByLabel('Password', { exact: true }).fill(application.password);
    await visit.checkAccessible();
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'My files' }).waitFor();
    await page.getByText('Pictures').waitFor();
  });

  test(
    'sees each rejected value at its field, and why e-mail and phone number are required',
    inFull,
    async () => {
      visit = await Visit.begin(browser, holdall, {
        colorScheme: 'dark',
        viewport: { width: 360, height: 740 },
      });
      const { page } = visit;
      const application = applicationOf('second', await holdall.inviteCode());
      await page.goto('/register');
      await page.getByText('So your administrator can call you.').waitFor();
      await page.getByLabel('Invite code').fill('notavalidcode');
      await page.getByLabel('Username').fill(application.username);
      await page.getByLabel('E-mail').fill(application.email);
      await page.getByLabel('Phone number').fill(application.phoneNumber);
      await page.getByLabel('Password', { exact: true }).fill(application.password);
      const refused = async (label: string, sentence: string) => {
        await page.getByRole('button', { name: 'Create account' }).click();
        await page.getByRole('alert').getByText(sentence).waitFor();
        const field = page.getByLabel(label);
        assert.equal(await field.getAttribute('aria-invalid'), 'true');
        assert.equal(await field.evaluate((input) => input.matches(':focus')), true);
      };
      await refused('Invite code', 'The invite code is not valid.');
      await visit.checkAccessible();
      await page.getByLabel('Invite code').fill(application.inviteCode);
      await page.getByLabel('Username').fill(alice.username);
      await refused('Username', 'This username is taken.');
      await page.getByLabel('Username').fill(application.username);
      await page.getByRole('button', { name: 'Create account' }).click();
      await page.getByRole('heading', { name: 'My files' }).waitFor();
    },
  );

  test('opens quick transfer from the login page', inFull, async () => {
    visit = await Visit.begin(browser, holdall);
    await visit.page.goto('/login');
    await visit.page.getByRole('link', { name: 'Send files without an account' }).click();
    await visit.page.waitForURL('**/transfer');
    await visit.page.getByRole('heading', { name: 'Quick transfer' }).waitFor();
  });
});

describe('the forms', () => {
  test('keep the typed values after a rejection, and focus the rejected field', inFull, async () => {
    visit = await Visit.begin(browser, holdall);
    const { page } = visit;
    let answer: (() => void) | undefined;
    await page.route('**/api/auth/login', async (route) => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      await route.continue();
    });
    await page.goto('/login');
    const password = page.getByLabel('Password', { exact: true });
    await page.getByLabel('Username').fill('nobody');
    await password.fill('a wrong password');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.locator('form[aria-busy=true]').waitFor();
    assert.equal(await password.isEditable(), false);
    await waitFor(async () => answer, Boolean, 'the request');
    answer?.();
    await page.locator('input[aria-invalid=true]:focus').waitFor();
    assert.equal(await password.inputValue(), 'a wrong password');
    assert.equal(await password.isEditable(), true);
  });

  test('report invalid values at each field before anything is sent', inFull, async () => {
    visit = await Visit.begin(browser, holdall, {
      colorScheme: 'dark',
      viewport: { width: 360, height: 740 },
    });
    const { page } = visit;
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
    await page.goto('/register');
    await page.getByLabel('Username').fill('x');
    await page.getByLabel('Password', { exact: true }).fill('short');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('You need an invite code.').waitFor();
    await page.getByText('3 to 64 characters').waitFor();
    await page.getByText('At least 8 characters.', { exact: true }).waitFor();
    // The e-mail address and the phone number are empty.
    await page.getByText('Fill in this field.').nth(1).waitFor();
    await page.getByLabel('E-mail').fill('x');
    await page.getByText('Enter an e-mail address').waitFor();
    await page.getByLabel('Phone number').fill('x');
    await page.getByText('5 to 20 digits').waitFor();
    await visit.checkAccessible();
    await page.goto('/login');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('Fill in this field.').nth(1).waitFor();
    assert.equal(await page.getByText('Fill in this field.').count(), 2);
    await visit.checkAccessible();
    assert.deepEqual(sent, []);
  });

  test('show the typed password on demand', inFull, async () => {
    visit = await Visit.begin(browser, holdall);
    const { page } = visit;
    await page.goto('/login');
    const field = page.getByLabel('Password', { exact: true });
    await field.fill('sesame');
    assert.equal(await field.getAttribute('type'), 'password');
    await page.getByRole('button', { name: 'Show password' }).click();
    assert.equal(await field.getAttribute('type'), 'text');
  });

  test('say when to try again after too many wrong passwords, and wait', inFull, async () => {
    const hugo = await holdall.register('hugo');
    // The delay begins with the tenth, and doubles.
    for (let attempt = 0; attempt < 18; attempt += 1) {
      const body = { username: hugo.username, password: 'wrong, and long enough' };
      await holdall.anonymous.call('POST', '/api/auth/login', { body });
      if (attempt < 17) holdall.clock.advance(15 * 60_000);
    }
    visit = await Visit.begin(browser, holdall);
    const { page } = visit;
    await visit.context.clock.install();
    await page.goto('/login');
    await page.getByLabel('Username').fill(hugo.username);
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery staple');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText(/^Too many attempts\. Try again in \d+ (seconds?|minutes?)\.$/).waitFor();
    await visit.checkAccessible();
    assert.ok(await page.getByRole('button', { name: /^Log in/ }).isDisabled());
    holdall.clock.advance(3_600_000);
    await visit.context.clock.fastForward(3_600_000);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.waitForURL('**/drive**');
  });

  test('are not shown to users who are logged in', inFull, async () => {
    visit = await Visit.begin(browser, holdall);
    await alice.logIn();
    await visit.logIn(alice);
    for (const form of ['/login?next=%2Fshared', '/register?next=%2Fshared']) {
      await visit.page.goto(form);
      await visit.page.waitForURL('**/shared');
    }
    await visit.page.goto('/login?next=%2F%2Felsewhere.example');
    await visit.page.waitForURL('**/drive**');
  });
});

test('a logout in one tab logs out all of them', async () => {
  visit = await Visit.begin(browser, holdall);
  await alice.logIn();
  await visit.logIn(alice);
  const other = await visit.context.newPage();
  await other.goto('/drive');
  await other.getByRole('heading', { name: 'My files' }).waitFor();
  await visit.page.getByRole('button', { name: alice.username }).click();
  await visit.page.getByRole('menuitem', { name: 'Log out' }).click();
  await visit.page.waitForURL('**/login**');
  await other.waitForURL('**/login**');
});

test('a user whose account an administrator created must choose a password first', async () => {
  const admin = await holdall.admin();
  const { username, email, phoneNumber } = applicationOf('invited', '');
  const body = { username, email, phoneNumber, password: PASSWORD };
  await admin.ask('POST', '/api/admin/users', { body });
  visit = await Visit.begin(browser, holdall);
  const { page } = visit;
  await page.goto('/login?next=%2Frecent');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Choose your password' }).waitFor();
  await visit.checkAccessible();
  for (const elsewhere of ['/drive', '/profile', '/transfer', '/new-password']) {
    await page.goto(elsewhere);
    await page.getByRole('heading', { name: 'Choose your password' }).waitFor();
  }
  const fill = async (given: string, chosen: string, again: string) => {
    await page.getByLabel('Password you were given').fill(given);
    await page.getByLabel('New password', { exact: true }).fill(chosen);
    await page.getByLabel('Confirm new password').fill(again);
    await page.getByRole('button', { name: 'Save and continue' }).click();
  };
  await fill(PASSWORD, 'short', 'shorter');
  await page.getByText('At least 8 characters.', { exact: true }).waitFor();
  await page.getByText("The passwords don't match.").waitFor();
  await fill(PASSWORD, PASSWORD, PASSWORD);
  await page.getByRole('alert').waitFor();
  await visit.checkAccessible();
  await fill(PASSWORD, 'a password of my own', 'a password of my own');
  await page.getByRole('heading', { name: 'My files' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'My files' }).waitFor();
});

test('a user who has just logged in need not retype the password to replace it', inFull, async () => {
  const admin = await holdall.admin();
  const { username, email, phoneNumber } = applicationOf('given', '');
  await admin.ask('POST', '/api/admin/users', { body: { username, email, phoneNumber, password: PASSWORD } });
  visit = await Visit.begin(browser, holdall);
  const { page } = visit;
  await page.goto('/login');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Choose your password' }).waitFor();
  assert.equal(await page.getByLabel('Password you were given').count(), 0);
  await visit.checkAccessible();
  await page.getByLabel('New password', { exact: true }).fill('a password of my own');
  await page.getByLabel('Confirm new password').fill('a password of my own');
  await page.getByRole('button', { name: 'Save and continue' }).click();
  await page.getByRole('heading', { name: 'My files' }).waitFor();
});

test('a browser without storage stays logged in until the page is left', inFull, async () => {
  visit = await Visit.begin(browser, holdall);
  const { page } = visit;
  const block = `Object.defineProperty(window, 'localStorage', {
    get() { throw new DOMException('The operation is insecure.', 'SecurityError'); },
  });`;
  await visit.addScript(block);
  await page.goto('/login');
  await page.getByLabel('Username').fill(alice.username);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'My files' }).waitFor();
  await page.getByRole('link', { name: 'Recent' }).click();
  await page.waitForURL('**/recent');
});

test('the page loads nothing from other origins', async () => {
  const page = await holdall.anonymous.fetch('GET', '/drive', { headers: { accept: 'text/html' } });
  const policy = page.headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe|\*/);
  const again = await holdall.anonymous.fetch('GET', '/', { headers: { accept: 'text/html' } });
  assert.notEqual(again.headers.get('content-security-policy'), policy, 'a nonce is used once');
});

test('programs get the availability envelope at the root address', async () => {
  assert.equal((await holdall.anonymous.call('GET', '/')).code, 0);
});
