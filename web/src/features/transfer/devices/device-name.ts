import type { TFunction } from 'i18next';
import { findProgramName } from '../../../common/program-name.ts';

/** The display name of a device, such as "Phone – Chrome on Android". */
export function nameDevice(
  { client, userAgent }: { readonly client: 'desktop' | 'mobile' | null; readonly userAgent: string | null },
  t: TFunction,
): string {
  const kind = t(client === 'mobile' ? 'transfer.phone' : 'transfer.computer');
  const found = findProgramName(userAgent);
  if (found === undefined) return kind;
  const { program, system } = found;
  if (system === undefined) return t('transfer.deviceName', { kind, program });
  return t('transfer.deviceNameOn', { kind, program, system });
}
