import type { ExampleRequest, Operation, OperationName } from '../../../src/http/operation.ts';
import type { Person } from '../app/person.ts';
import { toRequest } from '../http/example-request.ts';
import { askTus, TusUpload } from '../uploads/tus.ts';
import { type FaultCase, type Outcome, resume } from './fault-case.ts';
import { Fixture } from './fixture.ts';

/** What an operation needs besides its example. */
export interface Needs extends Pick<FaultCase, 'repeated' | 'needs'> {
  /**
   * Who sends the request. By default the owner, an admin or someone without a login, depending on the
   * operation.
   */
  readonly sender?: (fixture: Fixture) => Promise<Person>;
  /** Prepares what the example does not mention. */
  readonly before?: (fixture: Fixture) => Promise<unknown>;
  /** Parts of the request that replace those of the example. */
  readonly request?: (fixture: Fixture) => Promise<ExampleRequest>;
  /** Throws if the acknowledged effect of a success is missing. */
  readonly check?: (fixture: Fixture) => Promise<unknown>;
}

export type NeedsByName = Readonly<Partial<Record<OperationName, Needs>>>;

/** The case of an operation, made from its example. */
export function exampleCase(operation: Operation, needs: Needs = {}): FaultCase {
  const { sender, before, request, check, ...rest } = needs;
  return {
    ...rest,
    route: operation.name,
    prepare: async (scene, name) => {
      const fixture = await Fixture.start(scene, name);
      const example = { ...(await fixture.realize(operation.example)), ...(await request?.(fixture)) };
      await before?.(fixture);
      const person = await (sender?.(fixture) ?? defaultSender(operation, fixture));
      return {
        send: () => send(person, operation, example),
        ...(check && { check: async () => void (await check(fixture)) }),
      };
    },
  };
}

function defaultSender({ access }: Operation, { scene, owner }: Fixture): Person {
  return { admin: scene.admin, login: owner, public: scene.holdall.anonymous }[access];
}

async function send(person: Person, operation: Operation, example: ExampleRequest): Promise<Outcome> {
  const { method, path, options } = toRequest(operation, example);
  if (example.headers?.['tus-resumable'] === undefined) return person.call(method, path, options);
  if (method !== 'PATCH') return askTus(person, method, path, options);
  return resume(new TusUpload(person, path), new TextEncoder().encode(example.bytes));
}
