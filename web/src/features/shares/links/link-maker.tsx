import { Alert, Button, Divider, Stack, Text, Title } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LinkCard } from './link-card.tsx';
import styles from './shares.module.css';

interface LinkMakerProps {
  /** The purpose of the link. */
  readonly intro: string;
  /** Asks for the options of a new link. */
  readonly form: ReactNode;
  /** The link that was just created. */
  readonly made:
    | { readonly address: string; readonly name: string; readonly password: string | undefined }
    | undefined;
  readonly onAnother: () => void;
  /** The heading of the links that exist already. */
  readonly othersTitle: string;
  /** The rows of these links. */
  readonly others: readonly ReactNode[];
}

/** Creates a link to a file or a folder, shows it, and lists the existing ones. */
export function LinkMaker({ intro, form, made, onAnother, othersTitle, others }: LinkMakerProps) {
  const { t } = useTranslation();
  return (
    <>
      {made === undefined ? (
        <>
          <Text size="sm" c="dimmed">
            {intro}
          </Text>
          {form}
        </>
      ) : (
        <>
          <Alert color="green" icon={<IconCircleCheck aria-hidden />} role="status">
            {t('shares.made')}
          </Alert>
          <LinkCard {...made} isNew />
          <Button variant="subtle" onClick={onAnother}>
            {t('shares.another')}
          </Button>
        </>
      )}
      {others.length > 0 && (
        <Stack component="section" gap="xs">
          <Divider mb="xs" />
          <Title order={3} size="h5">
            {othersTitle}
          </Title>
          <ul className={styles.list}>{others}</ul>
        </Stack>
      )}
    </>
  );
}
