import { type Static, Type } from 'typebox';
import { operation } from '../../http/operation.ts';

/** Each member is true as long as the fact lasts. */
export const FirstSteps = Type.Object({
  file: Type.Boolean({ description: 'whether the drive of the caller has content, also in its bin' }),
  link: Type.Boolean({ description: 'whether the caller has a share or folder link in their own drive' }),
  device: Type.Boolean({ description: 'whether the caller has an app password' }),
  protection: Type.Boolean({ description: 'whether the caller has a second factor, as in security' }),
  people: Type.Boolean({ description: 'whether anyone else has an account' }),
});
export type FirstSteps = Static<typeof FirstSteps>;

export const getFirstSteps = operation('GET /api/user/first-steps', {
  does: 'Tells which first steps with a new account the caller has done.',
  access: 'login',
  appPassword: 'never',
  data: FirstSteps,
  example: {},
});
