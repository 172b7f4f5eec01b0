// The operations of tus. Every place that takes resumable uploads has them at two addresses of its own.
import { type TProperties, Type } from 'typebox';
import type { Access } from '../../http/access.ts';
import { EXAMPLE } from '../../http/examples.ts';
import { Uuid } from '../../http/fields.ts';
import { type ExampleRequest, type Operation, operation } from '../../http/operation.ts';
import { TUS_VERSION } from './request-headers.ts';

type Values = Readonly<Record<string, string>>;

interface TusAddresses {
  /** Where uploads are created. Parameters are in braces. */
  readonly uploads: `/${string}`;
  /** One upload. */
  readonly upload: `/${string}/{sessionId}`;
  readonly access: Access;
  /** The schemas of the parameters of `uploads`. */
  readonly path: TProperties;
  /** The values of all parameters in the example requests. */
  readonly example: { readonly sessionId: string } & Values;
}

export interface TusOperations {
  /** Where uploads are created. */
  readonly address: string;
  readonly all: readonly Operation[];
}

const version = { 'tus-resumable': TUS_VERSION };
const chunk = { ...version, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
const announcement = {
  ...version,
  'upload-length': `${EXAMPLE.content.length}`,
  // The value is `tus.txt` in Base64.
  'upload-metadata': 'filename dHVzLnR4dA==',
};

/** Describes the operations of one place. Both addresses take POST, because a header may name the method. */
export function tusOperations({ uploads, upload, access, path, example }: TusAddresses): TusOperations {
  // Successful answers have no body.
  const shared = { access, appPassword: 'write', responses: {}, isHidden: true } as const;
  const { sessionId: _sessionId, ...values } = example;
  const atUploads = { ...shared, path: Type.Object(path) };
  const atUpload = { ...shared, path: Type.Object({ ...path, sessionId: Uuid }) };
  const create = (request: ExampleRequest) => ({ example: { path: values, ...request } });
  const use = (request: ExampleRequest) => ({ example: { path: example, ...request } });
  const append = { takesBytes: true, ...use({ headers: chunk, bytes: EXAMPLE.content }) } as const;
  const override = { ...chunk, 'x-http-method-override': 'PATCH' };
  return {
    address: uploads,
    all: [
      operation(`OPTIONS ${uploads}`, {
        does: 'Tells which extensions and which file size resumable uploads support.',
        ...atUploads,
        ...create({}),
      }),
      operation(`POST ${uploads}`, {
        does: 'Creates a resumable upload.',
        ...atUploads,
        takesBytes: true,
        ...create({ headers: announcement }),
      }),
      operation(`OPTIONS ${upload}`, {
        does: 'Tells which extensions and which file size resumable uploads support.',
        ...atUpload,
        ...use({}),
      }),
      operation(`HEAD ${upload}`, {
        does: 'Tells how many bytes of an upload have arrived.',
        ...atUpload,
        ...use({ headers: version }),
      }),
      operation(`PATCH ${upload}`, { does: 'Appends bytes to an upload.', ...atUpload, ...append }),
      operation(`POST ${upload}`, {
        does: 'Does what the method in `X-HTTP-Method-Override` does.',
        ...atUpload,
        ...append,
        ...use({ headers: override, bytes: EXAMPLE.content }),
      }),
      operation(`DELETE ${upload}`, {
        does: 'Cancels an upload.',
        ...atUpload,
        ...use({ headers: version }),
      }),
    ],
  };
}

/** The address with the values in the place of the parameters. */
export function fillAddress(address: string, values: Values): string {
  return address.replaceAll(/\{(\w+)\}/g, (_parameter, name: string) => values[name] ?? '');
}
