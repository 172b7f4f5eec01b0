import type { ListeningProgram } from '../tools/processes/listening-program.ts';
import { HttpConnection } from './load/http-connection.ts';
import { each, requireStatus, runLoad } from './load/load.ts';
import { getRequest, jsonRequest, uploadRequest } from './load/requests.ts';

export const ADMIN_PASSWORD = 'bench-admin-passphrase';
export const INVITE_CODE = 'BENCH-INVITE';
export const USERNAME = 'bench';
export const PASSWORD = 'four-benches-in-a-row';

const CONNECTIONS_OF_PREPARATION = 32;

/**
 * A running service with a logged-in account. Its methods prepare a case and are not measured.
 */
export class Service {
  readonly port: number;
  readonly pid: number;
  readonly token: string;
  #connection: HttpConnection;

  private constructor(program: ListeningProgram, connection: HttpConnection, token: string) {
    this.port = Number(program.url.port);
    this.pid = program.pid;
    this.token = token;
    this.#connection = connection;
  }

  static async signUp(program: ListeningProgram): Promise<Service> {
    const connection = await HttpConnection.open(Number(program.url.port));
    const state = await callOnConnection(connection, registration(USERNAME, '+4930123456', INVITE_CODE));
    return new Service(program, connection, readText(state, 'token'));
  }

  get(path: string): Promise<unknown> {
    return this.call(getRequest(path, this.token));
  }

  /** Sends one request and returns the `data` of its envelope. */
  async call(request: Buffer): Promise<unknown> {
    if (!this.#connection.isOpen) this.#connection = await HttpConnection.open(this.port);
    return await callOnConnection(this.#connection, request);
  }

  /** Sends requests, 32 at a time. */
  async callAll(requests: Iterable<Buffer>): Promise<void> {
    await runLoad({ port: this.port, connections: CONNECTIONS_OF_PREPARATION, next: each(requests) });
  }

  /** Creates a directory. Returns its id. */
  async makeDirectory(path: string): Promise<number> {
    return readNumber(await this.call(this.mkdirRequest(path)), 'id');
  }

  mkdirRequest(path: string): Buffer {
    return jsonRequest('POST', '/api/files/mkdir', { path }, this.token);
  }

  /** Uploads a file. Returns its id. */
  async upload(directory: string, filename: string, content: Buffer): Promise<number> {
    const request = uploadRequest({ directory, filename, token: this.token }, content);
    return readNumber(await this.call(request), 'id');
  }

  close(): void {
    this.#connection.close();
  }
}

function registration(username: string, phoneNumber: string, inviteCode: string): Buffer {
  return jsonRequest('POST', '/api/auth/register', {
    username,
    email: `${username}@example.org`,
    phoneNumber,
    password: PASSWORD,
    confirmPassword: PASSWORD,
    inviteCode,
  });
}

export function readNumber(record: unknown, member: string): number {
  const value = readMember(record, member);
  if (typeof value !== 'number') throw new Error(`"${member}" is no number in ${JSON.stringify(record)}`);
  return value;
}

export function readText(record: unknown, member: string): string {
  const value = readMember(record, member);
  if (typeof value !== 'string') throw new Error(`"${member}" is no text in ${JSON.stringify(record)}`);
  return value;
}

export function readMember(record: unknown, member: string): unknown {
  if (typeof record !== 'object' || record === null) throw new Error(`no object: ${JSON.stringify(record)}`);
  return Object.entries(record).find(([name]) => name === member)?.[1];
}

/** Sends one request and returns the `data` of its envelope. */
async function callOnConnection(connection: HttpConnection, request: Buffer): Promise<unknown> {
  const answer = await connection.exchange(request, Number.POSITIVE_INFINITY);
  requireStatus(answer, 200, request);
  return readMember(JSON.parse(answer.body.toString()), 'data');
}
