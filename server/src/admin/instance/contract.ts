import { type Static, Type } from 'typebox';
import { EXAMPLE } from '../../http/examples.ts';
import { FileBytes, Nullable } from '../../http/fields.ts';
import { operation } from '../../http/operation.ts';
import { Instance } from '../../instance/contract.ts';

/** Missing members stay unchanged; null restores the default. */
export const InstanceBody = Type.Object(
  {
    name: Type.Optional(Nullable(Type.String({ maxLength: 320 }))),
    greeting: Type.Optional(Nullable(Type.String({ maxLength: 2_400 }))),
  },
  { minProperties: 1 },
);
export type InstanceBody = Static<typeof InstanceBody>;

export const setInstanceTexts = operation('PATCH /api/admin/settings/instance', {
  does: 'Changes the name and the greeting of this instance.',
  access: 'admin',
  appPassword: 'never',
  body: InstanceBody,
  data: Instance,
  example: { body: { name: 'Meyer family', greeting: 'Ask Ann if something does not work.' } },
});

export const setLogo = operation('POST /api/admin/settings/instance/logo', {
  does: 'Replaces the logo of this instance with a picture.',
  access: 'admin',
  appPassword: 'never',
  form: Type.Object({ file: FileBytes }),
  data: Instance,
  example: { form: { file: EXAMPLE.content } },
});

export const deleteLogo = operation('DELETE /api/admin/settings/instance/logo', {
  does: 'Removes the logo of this instance.',
  access: 'admin',
  appPassword: 'never',
  data: Instance,
  example: {},
});
