import { Badge, Group, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { Children, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShareSummary } from '../../../../client/src/client.ts';
import { formatNumber } from '../../messages/formats.ts';
import { formatFromNow } from '../../messages/from-now.ts';
import { messages } from '../../messages/i18n.ts';
import { When } from '../../ui/dates/when.tsx';

/** Shows whether the share can be used, and by whom. */
export function ShareBadges({ share }: { share: ShareSummary }) {
  const { t } = useTranslation();
  return (
    <Group gap={6} component="span">
      {share.expired && <StateBadge color="red" text={t('shares.expired')} />}
      {share.exhausted && <StateBadge color="orange" text={t('shares.exhausted')} />}
      {share.passwordRequired && <PasswordBadge />}
      {!share.allowDownload && <RuleBadge text={t('shares.noDownload')} />}
      {!share.allowImport && <RuleBadge text={t('shares.noImport')} />}
    </Group>
  );
}

const LOOK = { radius: 'sm', component: 'span' } as const;

/** Shows why a link of any kind does not work. */
export function StateBadge({ color, text }: { color: 'red' | 'orange'; text: string }) {
  return (
    <Badge {...LOOK} color={color} variant="dot">
      {text}
    </Badge>
  );
}

export function PasswordBadge() {
  const { t } = useTranslation();
  return <RuleBadge text={t('shares.withPassword')} icon={<IconLock size={12} aria-hidden />} />;
}

function RuleBadge({ text, icon }: { text: string; icon?: ReactNode }) {
  return (
    <Badge {...LOOK} color="gray" variant="light" leftSection={icon}>
      {text}
    </Badge>
  );
}

/** Shows how often a share was used, and when it expires. */
export function ShareCounts({ share }: { share: ShareSummary }) {
  const { t } = useTranslation();
  const { downloadCount, maxDownloads, viewCount, expiresAt } = share;
  const facts = [
    maxDownloads === null
      ? t('shares.used', { count: downloadCount, number: formatNumber(downloadCount) })
      : t('shares.usedOf', { number: formatNumber(downloadCount), most: formatNumber(maxDownloads) }),
    t('shares.views', { count: viewCount, number: formatNumber(viewCount) }),
    ...(expiresAt === null
      ? []
      : [t(share.expired ? 'shares.expiredAt' : 'shares.expiresAt', { when: formatFromNow(expiresAt) })]),
    ...originFacts(share),
  ];
  return <FactLine facts={facts} />;
}

/** When a link of any kind was created and, in a shared drive, by whom. */
export function originFacts({
  createdAt,
  createdBy,
}: Pick<ShareSummary, 'createdAt' | 'createdBy'>): readonly ReactNode[] {
  const since = <When iso={createdAt}>{(time) => messages.t('shares.since', { time })}</When>;
  if (createdBy === undefined) return [since];
  const by =
    createdBy === null
      ? messages.t('shares.byGone')
      : messages.t('shares.by', { name: createdBy.displayName });
  return [since, by];
}

/** Facts about a link of any kind, in one line. */
export function FactLine({ facts }: { facts: readonly ReactNode[] }) {
  return (
    <Text size="sm" c="dimmed">
      {Children.toArray(facts).flatMap((fact, index) => (index === 0 ? [fact] : [' · ', fact]))}
    </Text>
  );
}
