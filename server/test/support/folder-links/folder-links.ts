import assert from 'node:assert/strict';
import type { FolderLinkRecord, LinkedEntry, PublicFolderLink } from '../../../src/folder-links/contract.ts';
import type { Holdall } from '../app/holdall.ts';
import { type CallOptions, type Listing, Person } from '../app/person.ts';
import { askTus, metadataOf, TusUpload } from '../uploads/tus.ts';

export const FOLDER_LINKS = '/api/v2/folder-links';

/** @param directory null for the root of the drive */
export function linkFolder(
  owner: Person,
  directory: { readonly id: number } | null,
  options: object = {},
): Promise<FolderLinkRecord> {
  const body = { directoryId: directory?.id ?? null, mode: 'VIEW', ...options };
  return owner.ask('POST', FOLDER_LINKS, { body });
}

/** A new owner with a linked folder, and a visitor of the link at each address of the service. */
export async function openInbox(
  holdall: Holdall,
  urls: readonly string[],
  options: { readonly mode: string } & Readonly<Record<string, unknown>>,
) {
  const owner = await holdall.register('owner');
  const directory = await owner.mkdir('/inbox');
  const link = await linkFolder(owner, directory, options);
  const visitors = urls.map((url) => new Visitor(url, link));
  return { owner, directory, link, visitors, visitor: visitors[0] as Visitor };
}

/** The link as its owner sees it now. */
export async function ownLink(owner: Person, { id }: FolderLinkRecord): Promise<FolderLinkRecord> {
  const { items } = await owner.ask<Listing<FolderLinkRecord>>('GET', `${FOLDER_LINKS}/mine?size=1000`);
  return items.find((link) => link.id === id) ?? assert.fail(`${id} is not listed`);
}

/** Someone with a link, whose browser keeps the password cookie. */
export class Visitor extends Person {
  readonly linkToken: string;
  #cookie: string | undefined;

  constructor(url: string, { token }: { readonly token: string }) {
    super('a visitor', url);
    this.linkToken = token;
  }

  override fetch(method: string, path: string, options: CallOptions = {}): Promise<Response> {
    const headers = { ...(this.#cookie !== undefined && { cookie: this.#cookie }), ...options.headers };
    return super.fetch(method, path, { ...options, headers });
  }

  /** The address of a call for the link, such as `/entries`. */
  at(call = ''): string {
    return `${FOLDER_LINKS}/${this.linkToken}${call}`;
  }

  async enterPassword(password: string): Promise<this> {
    const answer = await this.call('POST', this.at('/verify-password'), { body: { password } });
    assert.equal(answer.status, 200);
    this.#cookie = answer.headers.get('set-cookie')?.split(';', 1)[0];
    return this;
  }

  see(): Promise<PublicFolderLink> {
    return this.ask('GET', this.at());
  }

  entries(path = '/', query: Record<string, string> = {}): Promise<Listing<LinkedEntry>> {
    return this.ask('GET', this.at(`/entries?${new URLSearchParams({ path, size: '1000', ...query })}`));
  }

  async namesAt(path = '/'): Promise<readonly string[]> {
    return (await this.entries(path)).items.map(({ name }) => name);
  }

  /** Returns the raw response. */
  get(paths: string | readonly string[], headers: Record<string, string> = {}): Promise<Response> {
    const query = new URLSearchParams([paths].flat().map((path): [string, string] => ['path', path]));
    return this.fetch('GET', this.at(`/download?${query}`), { headers });
  }

  async read(paths: string | readonly string[]): Promise<Buffer> {
    const response = await this.get(paths);
    assert.equal(response.status, 200);
    return Buffer.from(await response.arrayBuffer());
  }

  /** Sends a file by form. */
  send(name: string, content: string | Uint8Array<ArrayBuffer> = '', fields: Record<string, string> = {}) {
    const form = new FormData();
    for (const [field, value] of Object.entries(fields)) form.set(field, value);
    form.set('file', new Blob([content]), name);
    return this.call<{ name: string; size: number }>('POST', this.at('/uploads'), { body: form });
  }
}

/** Begins a resumable upload through the link of a visitor. */
export async function beginTus(
  visitor: Visitor,
  filename: string,
  size: number,
  more: Readonly<Record<string, string>> = {},
): Promise<TusUpload> {
  const headers = { 'upload-length': `${size}`, 'upload-metadata': metadataOf({ filename, ...more }) };
  const answer = await askTus(visitor, 'POST', visitor.at('/tus'), { headers });
  assert.equal(answer.status, 201, answer.msg);
  return new TusUpload(visitor, answer.headers.get('location') ?? '');
}
