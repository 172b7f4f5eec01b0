import { Badge, Group, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ShareSummary } from '../../../../client/src/client.ts';
import { formatNumber, formatTime } from '../../messages/formats.ts';
import { formatFromNow } from '../../messages/from-now.ts';

/** Whether the share can be used, and by whom. */
export function ShareBadges({ share }: { share: ShareSummary }) {
  const { t } = useTranslation();
  return (
    <Group gap={6} component="span">
      {share.expired && (
        <Badge color="red" variant="dot" radius="sm" component="span">
          {t('shares.expired')}
        </Badge>
      )}
      {share.exhausted && (
        <Badge color="orange" variant="dot" radius="sm" component="span">
          {t('shares.exhausted')}
        </Badge>
      )}
      {share.passwordRequired && (
        <Badge
          color="gray"
          variant="light"
          radius="sm"
          component="span"
          leftSection={<IconLock size={12} aria-hidden />}
        >
          {t('shares.withPassword')}
        </Badge>
      )}
      {!share.allowDownload && (
        <Badge color="gray" variant="light" radius="sm" component="span">
          {t('shares.noDownload')}
        </Badge>
      )}
      {!share.allowImport && (
        <Badge color="gray" variant="light" radius="sm" component="span">
          {t('shares.noImport')}
        </Badge>
      )}
    </Group>
  );
}

/** How often a share was used, and until when it can be used. */
export function ShareCounts({ share }: { share: ShareSummary }) {
  const { t } = useTranslation();
  const { downloadCount, maxDownloads, viewCount, expiresAt, createdAt } = share;
  const facts = [
    maxDownloads === null
      ? t('shares.used', { count: downloadCount, number: formatNumber(downloadCount) })
      : t('shares.usedOf', { number: formatNumber(downloadCount), most: formatNumber(maxDownloads) }),
    t('shares.views', { count: viewCount, number: formatNumber(viewCount) }),
    ...(expiresAt === null
      ? []
      : [t(share.expired ? 'shares.expiredAt' : 'shares.expiresAt', { when: formatFromNow(expiresAt) })]),
    t('shares.since', { time: formatTime(createdAt) }),
  ];
  return (
    <Text size="sm" c="dimmed">
      {facts.join(' · ')}
    </Text>
  );
}
