import { callerOf } from '../../http/caller.ts';
import { mount } from '../../http/operation.ts';
import type { Server } from '../../http/server.ts';
import { getFirstSteps } from './contract.ts';
import type { FirstStepList } from './first-step-list.ts';

export function firstStepRoutes(server: Server, firstSteps: FirstStepList): void {
  mount(server, getFirstSteps, async (request) => firstSteps.get(callerOf(request)));
}
