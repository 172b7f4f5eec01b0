import AwsS3 from '@uppy/aws-s3';
import Uppy from '@uppy/core';
import { completed, dropped, initiated, listed } from './s3-answers.js';

const SESSIONS = '/api/v2/files/upload-sessions';

/** Creates an Uppy that uploads files into a directory of a drive, in the mode that the storage requires. */
export function createUppy({ url, call, authorize }, path) {
  const uppy = new Uppy();
  const uploads = new Map(); // by the id of Uppy's file, which is also the plug-in's `key`

  async function open(id) {
    const { name: filename, type: contentType, size } = uppy.getFile(id);
    if (size === 0) return; // an empty file is sent as a plain form
    const session = await call('POST', SESSIONS, { path, filename, contentType, size });
    uploads.set(id, { ...session, address: `${SESSIONS}/${session.sessionId}`, parts: [] });
    if (!uppy.getFile(id)) await drop(id); // the file was removed meanwhile
  }
  async function drop(id) {
    const upload = uploads.get(id);
    if (uploads.delete(id)) await call('DELETE', upload.address).catch(() => {}); // if this fails, the session expires within a day
  }
  function record({ id }, { PartNumber: number, ETag: etag }) {
    const { address, parts, chunkSize, size } = uploads.get(id);
    const part = { etag, size: Math.min(chunkSize, size - chunkSize * (number - 1)) };
    const recorded = call('PUT', `${address}/parts/${number - 1}`, part).then(() => [{ number, etag }]);
    parts[number - 1] = recorded.catch(() => []); // if this fails, `complete` reports the missing part, and a retry sends it again
  }
  async function complete(id) {
    const { address, parts } = uploads.get(id);
    await Promise.all(parts);
    const { fileId } = await call('POST', `${address}/complete`);
    uploads.delete(id);
    return completed(`${url}/api/files/download/${fileId}`, fileId);
  }
  // Gives the plug-in the URL for each request to S3: for bytes the one that Holdall signs, otherwise a ready answer.
  async function signRequest({ method, key, uploadId, partNumber }) {
    if (method === 'DELETE') return dropped(await drop(key));
    const { address, strategy, sessionId, parts } = uploads.get(key) ?? {};
    if (method === 'GET') return listed((await Promise.all(parts)).flat());
    if (method === 'POST') return uploadId ? complete(key) : initiated(sessionId);
    const form = strategy ? strategy.proxyContentUrl : '/api/files/upload';
    if (form) return { url: url + form, headers: await authorize(), fields: { key, path } };
    const prepare = partNumber ? `${address}/parts/${partNumber - 1}/prepare` : strategy.prepareUrl;
    const { uploadUrl, headers } = await call('GET', prepare);
    return { url: uploadUrl, headers };
  }
  const forEach = (act) => async (ids) => {
    for (const id of ids) await act(id).catch((error) => uppy.emit('upload-error', uppy.getFile(id), error));
  };
  uppy.addPreProcessor(forEach(async (id) => uploads.has(id) || open(id)));
  uppy.addPostProcessor(forEach(async (id) => uploads.has(id) && !uppy.getFile(id)?.error && complete(id)));
  uppy.on('s3-multipart:part-uploaded', record);
  uppy.on('file-removed', ({ id }) => drop(id));
  const shouldUseMultipart = ({ id }) => uploads.get(id)?.multipartUpload ?? false;
  const getChunkSize = ({ size }) => [...uploads.values()].find((upload) => upload.size === size).chunkSize;
  const generateObjectKey = ({ id }) => id;
  return uppy.use(AwsS3, { signRequest, shouldUseMultipart, getChunkSize, generateObjectKey });
}
