/** A client of the Holdall API for one account. It refreshes the access token before it expires. */
export async function logIn(url, username, password) {
  let login = await send('POST', '/api/auth/login', { username, password });
  let refreshAt = computeRefreshTime();
  let refreshing;

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

  function computeRefreshTime() {
    return Date.now() + (login.expiresIn * 1_000) / 2;
  }

  /** A refresh token can be used once, so concurrent calls wait for the same refresh. */
  async function refresh() {
    login = await send('POST', '/api/auth/refresh', { refreshToken: login.refreshToken });
    refreshAt = computeRefreshTime();
  }

  async function authorize() {
    if (Date.now() > refreshAt) {
      refreshing ??= refresh().finally(() => {
        refreshing = undefined;
      });
      await refreshing;
    }
    return { authorization: `Bearer ${login.accessToken}` };
  }

  const call = async (method, address, body) => send(method, address, body, await authorize());
  return { url, call, authorize };
}
