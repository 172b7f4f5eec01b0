import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { Drawing } from '../../../ui/placeholders/empty-notice.tsx';
import { EntryBadge } from '../../entries/entry-icon.tsx';
import { OwnerLine } from './owner-line.tsx';
import styles from './public-frame.module.css';

const ICON_SIZE = 80;

interface SharedEntryCardProps {
  readonly name: string;
  /** Undefined while a password is required. */
  readonly ownerUsername: string | undefined;
  /** Undefined without a picture, and while a password is required. */
  readonly ownerAvatarUrl?: string | undefined;
  /** The details; undefined while a password is required. */
  readonly file: Pick<EntryRecord, 'filename' | 'contentType' | 'directory'> | undefined;
  /** Facts such as the size; empty ones are left out. */
  readonly facts: readonly (string | undefined)[];
  /** Whether the content is shown instead of an icon. */
  readonly isShown?: boolean;
  readonly children: ReactNode;
}

/** The shared file or folder, its owner, and the visitor's actions. */
export function SharedEntryCard(props: SharedEntryCardProps) {
  const { name, ownerUsername, ownerAvatarUrl, file, facts, isShown = false, children } = props;
  const { t } = useTranslation();
  return (
    <Stack gap="lg" align="stretch">
      <Stack align="center" gap="xs">
        {file === undefined ? (
          <Drawing name="lock" />
        ) : (
          !isShown && <EntryBadge entry={file} size={ICON_SIZE} />
        )}
        <Title order={1} ta="center" className={styles.name} mt="xs">
          {name}
        </Title>
        {ownerUsername !== undefined && (
          <OwnerLine name={ownerUsername} avatarUrl={ownerAvatarUrl}>
            {t('shares.from', { owner: ownerUsername })}
          </OwnerLine>
        )}
        <Text ta="center" size="sm" c="dimmed">
          {facts.filter((fact) => fact !== undefined).join(' · ')}
        </Text>
      </Stack>
      {children}
    </Stack>
  );
}
