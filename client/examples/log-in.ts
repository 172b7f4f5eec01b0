// Logs in with a password and keeps the login in a file, for this program and others: node log-in.ts ann
import { Holdall, UnauthenticatedError } from '@holdall/client';
import { FileTokenStore } from '@holdall/client/node';

const { HOLDALL_URL = 'http://localhost:8080', HOLDALL_PASSWORD = '', HOLDALL_CODE = '' } = process.env;
const { TOKENS_FILE = './holdall-login.json' } = process.env;
const [username = ''] = process.argv.slice(2);

const holdall = new Holdall({ url: HOLDALL_URL, tokens: new FileTokenStore(TOKENS_FILE) });
if (await holdall.auth.isLoggedIn()) console.log('There is a login already.');
else {
  try {
    // The code is requested only if the account has a second factor.
    await holdall.auth.logIn(username, HOLDALL_PASSWORD, { askForCode: () => HOLDALL_CODE });
  } catch (error) {
    if (!(error instanceof UnauthenticatedError)) throw error;
    console.error(`Not logged in: ${error.message}`);
    process.exit(1);
  }
}
// Tokens are renewed automatically, even weeks later.
const { username: name, role, storageUsedBytes } = await holdall.account.profile();
console.log(`${name} (${role}) uses ${storageUsedBytes} bytes.`);
