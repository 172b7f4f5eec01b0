// The tus operations. Every place that takes resumable uploads has its own two addresses for them.
import { type TObject, type TProperties, Type } from 'typebox';
import type { Access } from '../../http/access.ts';
import { EXAMPLE } from '../../http/examples.ts';
import { Uuid } from '../../http/fields.ts';
import { type ExampleRequest, type Operation, operation } from '../../http/operation.ts';
import { TUS_VERSION } from './request-headers.ts';

type Values = Readonly<Record<string, string>>;

interface TusAddresses {
  /** The address at which uploads are created, with parameters in braces. */
  readonly uploads: `/${string}`;
  /** The address of one upload. */
  readonly upload: `/${string}/{sessionId}`;
  readonly access: Access;
  /** The files go to the drive that the request chooses. */
  readonly inDrive?: true;
  /** The schemas of the parameters of `uploads`. */
  readonly path: TProperties;
  /** The values of all parameters in the example requests. */
  readonly example: { readonly sessionId: string } & Values;
}

export interface TusOperations {
  /** The address at which uploads are created. */
  readonly address: string;
  readonly all: readonly Operation[];
}

type Method = 'OPTIONS' | 'HEAD' | 'PATCH' | 'POST' | 'DELETE';

const VERSION = { 'tus-resumable': TUS_VERSION };
const CHUNK = { ...VERSION, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
const OVERRIDE = { ...CHUNK, 'x-http-method-override': 'PATCH' };
const ANNOUNCEMENT = {
  ...VERSION,
  'upload-length': `${EXAMPLE.content.length}`,
  // The value is `tus.txt` in Base64.
  'upload-metadata': 'filename dHVzLnR4dA==',
};

const OPTIONS = 'Lists the tus extensions and the largest size of an upload.';

/**
 * Describes the operations of one place. Both addresses accept POST, because a header may name the real
 * method.
 */
export function tusOperations({ uploads, upload, path, example, ...rules }: TusAddresses): TusOperations {
  const at = (address: `/${string}`, parameters: TObject, values: Values) => {
    return (method: Method, does: string, request: ExampleRequest = {}) =>
      operation(`${method} ${address}`, {
        does,
        ...rules,
        appPassword: 'write',
        path: parameters,
        // Successful responses have no body.
        responses: {},
        ...((method === 'POST' || method === 'PATCH') && { takesBytes: true }),
        isHidden: true,
        example: { path: values, ...request },
      });
  };
  const { sessionId: _sessionId, ...values } = example;
  const above = at(uploads, Type.Object(path), values);
  const one = at(upload, Type.Object({ ...path, sessionId: Uuid }), example);
  return {
    address: uploads,
    all: [
      above('OPTIONS', OPTIONS),
      above('POST', 'Creates a resumable upload.', { headers: ANNOUNCEMENT }),
      one('OPTIONS', OPTIONS),
      one('HEAD', 'Tells how many bytes of an upload have arrived.', { headers: VERSION }),
      one('PATCH', 'Appends bytes to an upload.', { headers: CHUNK, bytes: EXAMPLE.content }),
      one('POST', 'Acts as the method in `X-HTTP-Method-Override`.', {
        headers: OVERRIDE,
        bytes: EXAMPLE.content,
      }),
      one('DELETE', 'Cancels an upload.', { headers: VERSION }),
    ],
  };
}

/** The address with its parameters replaced by the values. */
export function fillAddress(address: string, values: Values): string {
  return address.replaceAll(/\{(\w+)\}/g, (_parameter, name: string) => values[name] ?? '');
}
