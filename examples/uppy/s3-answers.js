// The answers that the plug-in expects from S3 to requests without bytes, as data: URLs.

export const initiated = (uploadId) =>
  answerWith(
    `<InitiateMultipartUploadResult><UploadId>${uploadId}</UploadId></InitiateMultipartUploadResult>`,
  );

export const listed = (parts) =>
  answerWith(
    parts
      .map(({ number, etag }) => `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`)
      .join(''),
  );

export const completed = (location, key) => answerWith(`<Location>${location}</Location><Key>${key}</Key>`);

export const dropped = () => answerWith('');

function answerWith(xml) {
  return { url: `data:application/xml,${encodeURIComponent(xml)}` };
}
