// What the plug-in expects S3 to say to the requests that carry no bytes, as addresses that hold their answer.

export const begun = (uploadId) =>
  holding(`<InitiateMultipartUploadResult><UploadId>${uploadId}</UploadId></InitiateMultipartUploadResult>`);

export const listed = (parts) =>
  holding(
    parts
      .map(({ number, etag }) => `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`)
      .join(''),
  );

export const completed = (location, key) => holding(`<Location>${location}</Location><Key>${key}</Key>`);

export const dropped = () => holding('');

function holding(xml) {
  return { url: `data:application/xml,${encodeURIComponent(xml)}` };
}
