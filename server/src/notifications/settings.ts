import {
  DEFAULT_DELIVERY,
  isOptionalMail,
  NOTIFICATION_KINDS,
  type NotificationKind,
} from '../base/domain/notifications.ts';
import type { Flag } from '../database/flag.ts';
import type { StoredSetting } from './queries.ts';

/** How an account is told about one kind of event. */
export interface NotificationSetting {
  readonly app: boolean;
  readonly mail: boolean;
}

export type NotificationSettings = Readonly<
  Record<NotificationKind, NotificationSetting & { readonly isMailFixed: boolean }>
>;

/** What an account has chosen for a kind. Null: nothing, so the default holds. */
interface Choice {
  readonly app: Flag | null;
  readonly mail: Flag | null;
}

/** How an account with this choice is told. */
export function settingOf(kind: NotificationKind, { app, mail }: Choice): NotificationSetting {
  const byDefault = DEFAULT_DELIVERY[kind];
  return {
    app: app === null ? byDefault.app : app === 1,
    mail: !isOptionalMail(kind) || (mail === null ? byDefault.mail !== 'off' : mail === 1),
  };
}

/** The settings of all kinds. */
export function toSettings(chosen: readonly StoredSetting[]): NotificationSettings {
  const byKind = new Map(chosen.map((setting) => [setting.kind, setting]));
  const entries = NOTIFICATION_KINDS.map((kind) => {
    const setting = settingOf(kind, byKind.get(kind) ?? { app: null, mail: null });
    return [kind, { ...setting, isMailFixed: !isOptionalMail(kind) }];
  });
  // There is an entry for each kind.
  return Object.fromEntries(entries);
}
