/**
 * A minimal transfer page: it finds its peer using only our endpoints, and sends a file of random bytes
 * through a data channel. It is injected into the page as text and runs there.
 */
export const TRANSFER_PAGE = `<!doctype html><script>
const BASE = '/api/transfer';
const CHUNK = 64 * 1024;
async function call(method, path, body, token) {
  const headers = { ...(body && { 'content-type': 'application/json' }), ...(token && { 'x-transfer-token': token }) };
  const response = await fetch(BASE + path, { method, headers, body: body && JSON.stringify(body) });
  const { code, msg, data } = await response.json();
  if (code !== 0) throw new Error(response.status + ' ' + msg);
  return data;
}
async function sha256(bytes) {
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
/** Exchanges signals with the other page until the signal aborts. */
async function connect(session, signal, isCaller) {
  const { iceServers } = await call('GET', '/ice-servers?sessionId=' + session.sessionId);
  const peer = new RTCPeerConnection({ iceServers });
  const url = '/sessions/' + session.sessionId + '/signals';
  // Sent one after another, because a candidate is useless before its description.
  let lastSignal = Promise.resolve();
  const sendSignal = (type, payload) =>
    (lastSignal = lastSignal.then(() => call('POST', url, { type, payload }, session.peerToken)));
  peer.onicecandidate = ({ candidate }) => candidate && sendSignal('candidate', candidate);
  const follow = async () => {
    for (let after = 0; !signal.aborted; ) {
      const page = await call('GET', url + '?waitSeconds=5&after=' + after, undefined, session.peerToken);
      after = page.nextCursor;
      for (const { type, payload } of page.items) {
        if (type === 'peer-joined' && isCaller) {
          await peer.setLocalDescription();
          await sendSignal('description', peer.localDescription);
        } else if (type === 'description') {
          await peer.setRemoteDescription(payload);
          if (isCaller) continue;
          await peer.setLocalDescription();
          await sendSignal('description', peer.localDescription);
        } else if (type === 'candidate') await peer.addIceCandidate(payload);
      }
    }
  };
  follow();
  return peer;
}
async function announce(size) {
  window.session = await call('POST', '/sessions', { mode: 'ONLINE', requirePeerToken: true, files: [{ name: 'file', size }] });
  return window.session.pickupCode;
}
async function send() {
  const { size } = session.files[0];
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += CHUNK) crypto.getRandomValues(bytes.subarray(at, at + CHUNK));
  const end = new AbortController();
  const peer = await connect(session, end.signal, true);
  const channel = peer.createDataChannel('file');
  channel.bufferedAmountLowThreshold = 1024 * 1024;
  await new Promise((resolve) => (channel.onopen = resolve));
  for (let at = 0; at < size; at += CHUNK) {
    if (channel.bufferedAmount > 8 * 1024 * 1024) await new Promise((resolve) => (channel.onbufferedamountlow = resolve));
    channel.send(bytes.subarray(at, at + CHUNK));
  }
  await new Promise((resolve) => (channel.onmessage = resolve));
  end.abort();
  return sha256(bytes);
}
async function receive(code) {
  const found = await call('GET', '/sessions/lookup?pickupCode=' + code);
  const session = await call('POST', '/sessions/' + found.sessionId + '/join');
  const bytes = new Uint8Array(session.files[0].size);
  const end = new AbortController();
  const peer = await connect(session, end.signal, false);
  const channel = await new Promise((resolve) => (peer.ondatachannel = (event) => resolve(event.channel)));
  channel.binaryType = 'arraybuffer';
  let received = 0;
  await new Promise((resolve) => {
    channel.onmessage = ({ data }) => {
      bytes.set(new Uint8Array(data), received);
      received += data.byteLength;
      if (received === bytes.length) resolve();
    };
  });
  channel.send('done');
  end.abort();
  return sha256(bytes);
}
</script>`;
