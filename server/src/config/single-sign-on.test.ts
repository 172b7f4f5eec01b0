// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, readConfig } from './config.ts';

const SET = {
  HOLDALL_OIDC_ISSUER: 'https://id.example.org/realms/home',
  HOLDALL_OIDC_CLIENT_ID: 'holdall',
  HOLDALL_OIDC_CLIENT_SECRET: 'secret',
};

test('single sign-on is on with an issuer, which keeps its spelling', () => {
  assert.deepEqual(readConfig(SET).singleSignOn, {
    issuer: 'https://id.example.org/realms/home',
    clientId: 'holdall',
    clientSecret: 'secret',
    name: 'id.example.org',
    register: false,
    adminClaim: undefined,
  });
  const { singleSignOn } = readConfig({
    ...SET,
    HOLDALL_OIDC_ISSUER: 'https://id.example.org/application/o/holdall/',
    HOLDALL_OIDC_NAME: 'Example ID',
    HOLDALL_OIDC_REGISTER: 'on',
    HOLDALL_OIDC_ADMIN_CLAIM: 'https://example.org/admin',
  });
  assert.equal(singleSignOn?.issuer, 'https://id.example.org/application/o/holdall/');
  assert.deepEqual([singleSignOn?.name, singleSignOn?.register], ['Example ID', true]);
  assert.equal(singleSignOn?.adminClaim, 'https://example.org/admin');
});

test('single sign-on is off without an issuer, whatever else is set', () => {
  assert.equal(readConfig({ HOLDALL_OIDC_CLIENT_ID: 'holdall' }).singleSignOn, undefined);
});

test('an issuer needs TLS, unless it is on this machine', () => {
  for (const issuer of [
    'https://id.example.org',
    'http://127.0.0.1:9000',
    'http://localhost/a',
    'http://[::1]:1',
  ]) {
    assert.equal(readConfig({ ...SET, HOLDALL_OIDC_ISSUER: issuer }).singleSignOn?.issuer, issuer);
  }
  for (const issuer of [
    ...['http://id.example.org', 'http://127.0.0.1.example.org', 'http://10.0.0.1', 'id.example.org'],
    ...[
      'https://id.example.org?a=b',
      'https://a:b@id.example.org',
      'https://id.example.org/#a',
      'ftp://localhost',
    ],
  ]) {
    assert.throws(
      () => readConfig({ ...SET, HOLDALL_OIDC_ISSUER: issuer }),
      /HOLDALL_OIDC_ISSUER must be/,
      issuer,
    );
  }
});

test('every missing setting is named', () => {
  assert.throws(
    () => readConfig({ HOLDALL_OIDC_ISSUER: 'https://id.example.org' }),
    (error: unknown) => {
      assert.ok(error instanceof ConfigError);
      assert.match(
        error.message,
        /HOLDALL_OIDC_CLIENT_ID must be set.*\n.*HOLDALL_OIDC_CLIENT_SECRET must be set/,
      );
      return true;
    },
  );
  assert.throws(
    () => readConfig({ ...SET, HOLDALL_OIDC_NAME: 'x'.repeat(65) }),
    /HOLDALL_OIDC_NAME must be text/,
  );
});
