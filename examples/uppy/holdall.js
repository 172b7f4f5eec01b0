/** Talks to a Holdall as one person; the access token is renewed in time. */
export async function logIn(url, username, password) {
  let login = await send('POST', '/api/auth/login', { username, password });
  let renewAt = renewalTime();
  let renewal;

  async function send(method, address, body, headers = {}) {
    const json = body && { 'content-type': 'application/json' };
    const response = await fetch(url + address, {
      method,
      headers: { ...headers, ...json },
      body: body && JSON.stringify(body),
    });
    const { msg, data } = await response.json();
    if (!response.ok) throw new Error(msg);
    return data;
  }

  function renewalTime() {
    return Date.now() + (login.expiresIn * 1_000) / 2;
  }

  /** A refresh token is good once, so all who come at the same time wait for one renewal. */
  async function renew() {
    login = await send('POST', '/api/auth/refresh', { refreshToken: login.refreshToken });
    renewAt = renewalTime();
  }

  async function authorize() {
    if (Date.now() > renewAt) {
      renewal ??= renew().finally(() => {
        renewal = undefined;
      });
      await renewal;
    }
    return { authorization: `Bearer ${login.accessToken}` };
  }

  const call = async (method, address, body) => send(method, address, body, await authorize());
  return { url, call, authorize };
}
