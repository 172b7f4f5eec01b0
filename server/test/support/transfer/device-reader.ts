import assert from 'node:assert/strict';
import type { LoginSessionRecord } from '../../../src/accounts/sessions/contract.ts';
import type { DevicesMessage } from '../../../src/transfer/devices/contract.ts';
import type { Person } from '../app/person.ts';
import { EventReader } from '../events/event-reader.ts';

export function offerUrl({ sessionId }: { readonly sessionId: string }): string {
  return `/api/v2/transfer/sessions/${sessionId}/offer`;
}

export function listDevices(person: Person): Promise<readonly LoginSessionRecord[]> {
  return person.ask('GET', '/api/user/sessions');
}

/** A device of an account that is present: it has an event stream that shows offers of transfers. */
export class DeviceReader {
  readonly person: Person;
  /** The id of its login session. */
  readonly id: string;
  readonly #reader: EventReader;

  private constructor(person: Person, id: string, reader: EventReader) {
    this.person = person;
    this.id = id;
    this.#reader = reader;
  }

  /** Resolves when the device is present. */
  static async open(person: Person, headers: Readonly<Record<string, string>> = {}): Promise<DeviceReader> {
    const reader = await EventReader.open(person, { query: { devices: 'true' }, headers });
    await reader.until(() => reader.messages.some(({ event }) => event === 'DEVICES'));
    const own = (await listDevices(person)).find(({ current }) => current);
    assert.ok(own);
    return new DeviceReader(person, own.id, reader);
  }

  /** The messages about devices so far. The last one is current. */
  get messages(): readonly DevicesMessage[] {
    const found = this.#reader.messages.filter(({ event }) => event === 'DEVICES');
    return found.map(({ data }) => data as unknown as DevicesMessage);
  }

  get offers(): DevicesMessage['offers'] {
    return this.messages.at(-1)?.offers ?? [];
  }

  until(condition: () => boolean): Promise<void> {
    return this.#reader.until(condition);
  }

  /** Opens a new stream, and returns the ids of the transfer sessions that it offers. */
  async readOffers(): Promise<readonly string[]> {
    const again = await DeviceReader.open(this.person);
    again.close();
    return again.offers.map(({ sessionId }) => sessionId);
  }

  close(): void {
    this.#reader.close();
  }
}
