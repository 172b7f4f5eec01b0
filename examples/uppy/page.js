import { logIn } from './holdall.js';
import { createUppy } from './upload.js';

const form = document.querySelector('form');
const progress = document.querySelector('progress');
const message = document.querySelector('output');
let uppy;

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const { url, username, password, path, files } = form.elements;
  report(async () => {
    uppy?.destroy();
    uppy = createUppy(await logIn(url.value, username.value, password.value), path.value);
    uppy.on('progress', (percent) => {
      progress.value = percent;
    });
    uppy.addFiles([...files.files].map((file) => ({ name: file.name, type: file.type, data: file })));
    return await uppy.upload();
  });
});
document.querySelector('#retry').addEventListener('click', () => report(() => uppy.retryAll()));
document.querySelector('#cancel').addEventListener('click', () => uppy.cancelAll());

async function report(upload) {
  message.value = 'uploading';
  try {
    const { successful, failed } = await upload();
    const faults = failed.map((file) => `, ${file.name}: ${file.error}`);
    message.value = `${successful.length} uploaded, ${failed.length} failed${faults.join('')}`;
  } catch (error) {
    message.value = error.message;
  }
}
