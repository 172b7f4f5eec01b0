import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { PublicFolderLink } from '../../../../client/src/client.ts';
import { OwnerLine } from '../../features/shares/public/owner-line.tsx';
import { formatFromNow } from '../../messages/from-now.ts';
import styles from './folder-link.module.css';

const WORDS = {
  VIEW: 'folderLinks.from',
  UPLOAD: 'folderLinks.asks',
  BOTH: 'folderLinks.asksAndShares',
} as const;

interface LinkHeadProps {
  readonly link: PublicFolderLink;
  /** Whether the text is centred, as in a card. */
  readonly isCentred?: boolean;
  readonly children: ReactNode;
}

/**
 * The title of a folder link, its owner, note and expiry. Shows none of them before the password is entered.
 */
export function LinkHead({ link, isCentred = false, children }: LinkHeadProps) {
  const { t } = useTranslation();
  const { mode, ownerName: owner, ownerAvatarUrl, expiresAt } = link;
  const { title, note } = link.passwordVerified ? link : { title: t('shares.protected'), note: null };
  const facts = [
    t(WORDS[mode], { owner }),
    ...(mode === 'UPLOAD' ? [t('folderLinks.onlyOwnerSees', { owner })] : []),
    ...(expiresAt === null ? [] : [t('shares.expiresAt', { when: formatFromNow(expiresAt) })]),
  ];
  return (
    <Stack gap="md" className={styles.head} data-centred={isCentred || undefined}>
      <div>
        <Title order={1} size="h3" className={styles.title}>
          {title}
        </Title>
        {link.passwordVerified && (
          <div className={styles.owner}>
            <OwnerLine name={owner} avatarUrl={ownerAvatarUrl}>
              <Text size="sm" c="dimmed">
                {facts.join(' · ')}
              </Text>
            </OwnerLine>
          </div>
        )}
        {note !== null && (
          <Text size="sm" mt="xs" className={styles.note}>
            {note}
          </Text>
        )}
      </div>
      {children}
    </Stack>
  );
}
